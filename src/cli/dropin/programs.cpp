// The programs of HMMER 2.3.2 that gpuhmm stands in for, and their usage texts (docs/spec/options.md, 8.2
// to 8.9).
#include "cli/dropin/dropin.hpp"

namespace gpuhmm::cli {

namespace {

constexpr DropIn kPrograms[] = {
    {"hmmalign", "align", "hmmalign - align sequences to an HMM profile", "<hmm file> <sequence file>",
     R"(   -h     : this help
   -m     : show only symbols aligned to match states
   -o <f> : write the alignment to file <f>
   -q     : print nothing but the alignment
)",
     R"(   --informat <s>  : the sequence file is in format <s>
   --mapali <f>    : include the alignment in file <f>, by the profile's map
   --oneline       : Stockholm with one line per sequence
   --outformat <s> : write the alignment in format <s> [Stockholm]
   --withali <f>   : include the alignment in file <f>, aligned as a whole
)"},
    {"hmmbuild", "build", "hmmbuild - build a hidden Markov model from an alignment",
     "<hmmfile output> <alignment file>",
     R"(   -h     : this help
   -n <s> : name of the profile
   -o <f> : write the alignment with its match columns marked to <f>
   -A     : append to <hmmfile output>
   -F     : replace <hmmfile output> if it exists

   -f     : several domains or parts of domains per sequence (hmmfs)
   -g     : one whole domain per sequence (hmms)
   -s     : one domain or part of a domain per sequence (hmmsw)
            (default: several whole domains, hmmls)
)",
     R"(   --fast        : match columns are those without too many gaps
   --hand        : match columns are those marked in the alignment

   --null  <f>   : read the null model from <f>
   --pam   <f>   : prior of match emissions from the substitution matrix in <f>
   --prior <f>   : read the Dirichlet priors from <f>

   --wblosum     : each cluster of similar rows has weight 1
   --wgsc        : tree weights (default)
   --wme         : maximum entropy weights
   --wpb         : position-based weights
   --wvoronoi    : by the volume around each row
   --wnone       : only the weights in the file
   --noeff       : weights sum to the number of rows, not of clusters
   --pbswitch <n>: position-based weights for <n> rows or more [1000]

   --amino       : the alignment is protein
   --nucleic     : the alignment is DNA or RNA

   --archpri <x> : prior probability of one more match column [0.85]
   --binary      : write binary, not text
   --cfile <f>   : write the counts to <f>
   --gapmax <x>  : largest fraction of gaps, with --fast [0.50]
   --idlevel <x> : smallest identity of rows of one cluster [0.62]
   --informat <s>: the alignment is in format <s>
   --pamwgt <x>  : pseudocounts per column, with --pam [20]
   --swentry <x> : -f, -s: probability to begin after the first node [0.5]
   --swexit <x>  : -f, -s: probability to end before the last node [0.5]
   --verbose     : print the tracebacks of all rows
)"},
    {"hmmcalibrate", "calibrate", "hmmcalibrate -- calibrate HMM search statistics", "<hmmfile>",
     R"(  -h             : this help
)",
     R"(  --cpu <n>      : <n> threads
  --fixed <n>    : all random sequences have <n> residues
  --histfile <f> : write histograms of the scores to file <f>
  --mean <x>     : mean length of the random sequences [325]
  --num <n>      : number of random sequences [5000]
  --pvm          : not supported
  --sd <x>       : standard deviation of the lengths [200]
  --seed <n>     : seed of the random numbers [time()]
)"},
    {"hmmconvert", "convert", "hmmconvert - convert between profile HMM file formats",
     "<old hmm file> <new hmm file>",
     R"(   -h        : this help

   -a        : write text (the default)
   -b        : write binary
   -p        : write a GCG profile (.prf)
   -P        : write an extended GCG profile (.eprf)

   -A        : append to <new hmm file>
   -F        : replace <new hmm file> if it exists
)",
     ""},
    {"hmmemit", "emit", "hmmemit - generate sequences from a profile HMM", "<hmm file>",
     R"(   -a     : an alignment, not FASTA
   -c     : one consensus sequence per profile instead
   -h     : this help
   -n <n> : <n> sequences per profile [10]
   -o <f> : write the sequences to file <f>
   -q     : print nothing but the sequences
)",
     R"(   --seed <n>     : seed of the random numbers [time()]
)"},
    {"hmmfetch", "fetch", "hmmfetch -- retrieve specific HMM from an HMM database", "<hmmfile> <HMM name>",
     R"(  -h   : this help
  -n   : <HMM name> is a number, from 0, in the order of names
)",
     ""},
    {"hmmindex", "index", "hmmindex -- create SSI index for an HMM database", "<hmmfile>",
     R"(  -h             : this help
)",
     ""},
    {"hmmpfam", "scan", "hmmpfam - search one or more sequences against HMM database",
     "<hmm database> <sequence file or database>",
     R"(   -h        : this help
   -n        : nucleic acid profiles and sequences (default protein)
   -A <n>    : at most <n> alignments per sequence
   -E <x>    : profiles with an E-value of at most <x>; default 10
   -T <x>    : profiles with a score of at least <x> bits; default none
   -Z <n>    : E-values for a library of <n> profiles
)",
     R"(   --acc         : the profiles' accessions instead of their names
   --compat      : query lines as in older versions
   --cpu <n>     : <n> threads; 0: count as without threads
   --cut_ga      : the profiles' gathering cut-offs (GA)
   --cut_nc      : the profiles' noise cut-offs (NC)
   --cut_tc      : the profiles' trusted cut-offs (TC)
   --domE <x>    : domains with an E-value of at most <x>
   --domT <x>    : domains with a score of at least <x> bits
   --forward     : Forward instead of Viterbi scores
   --informat <s>: the sequence file is in format <s>
   --null2       : no correction for biased composition
   --pvm         : not supported
   --xnu         : mask repeats in the sequences
)"},
    {"hmmsearch", "search", "hmmsearch - search a sequence database with a profile HMM",
     "<hmmfile> <sequence file or database>",
     R"(   -h        : this help
   -A <n>    : at most <n> alignments
   -E <x>    : sequences with an E-value of at most <x>; default 10
   -T <x>    : sequences with a score of at least <x> bits; default none
   -Z <n>    : E-values for a database of <n> sequences
)",
     R"(   --compat       : query lines as in older versions
   --cpu <n>      : <n> threads; 0: count as without threads
   --cut_ga       : the profile's gathering cut-offs (GA)
   --cut_nc       : the profile's noise cut-offs (NC)
   --cut_tc       : the profile's trusted cut-offs (TC)
   --domE <x>     : domains with an E-value of at most <x>
   --domT <x>     : domains with a score of at least <x> bits
   --forward      : Forward instead of Viterbi scores
   --informat <s> : the sequence file is in format <s>
   --null2        : no correction for biased composition
   --pvm          : not supported
   --xnu          : mask repeats in the sequences
)"}};

}  // namespace

std::span<const DropIn> drop_ins() { return kPrograms; }

}  // namespace gpuhmm::cli

// Hits of HMMER 3.3.2's reports. P-values are such that all E-values are as printed there.
#include "formats/report/hmmer3_golden.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

namespace gpuhmm::hmmer3::testing {
namespace {

struct Stretch {
  int from, to;
};

constexpr double kLog2e = 1.44269504088896341;

Domain made_domain(float bits, double bias_bits, double p_value, Stretch model, Stretch aligned,
                   Stretch envelope, double accuracy, bool included, AlignmentRows rows) {
  Domain domain;
  domain.envelope_from = envelope.from;
  domain.envelope_to = envelope.to;
  domain.alignment_from = aligned.from;
  domain.alignment_to = aligned.to;
  domain.model_from = model.from;
  domain.model_to = model.to;
  domain.accuracy = static_cast<float>(accuracy * (1 + std::abs(envelope.to - envelope.from)));
  domain.bits = bits;
  domain.bias = static_cast<float>(bias_bits / kLog2e);
  domain.log_p = std::log(p_value);
  domain.reported = true;
  domain.included = included;
  domain.rows = std::move(rows);
  return domain;
}

std::vector<Domain> fn3_domains() {
  return {
      made_domain(
          -1.3F, 0.0, 0.16599, {61, 74}, {396, 409}, {395, 411}, 0.85, false,
          {"EES--TT-EEEEEE", "", "ltgLepgteYefrV", "l+ L p+t+Y+fr ", "LEALIPYTQYRFRF", "67899*******95"}),
      made_domain(40.7F, 0.0, 1.2909e-14, {2, 84}, {439, 520}, {437, 521}, 0.95, true,
                  {"---CEEEEEEECTTEEEEEEE--S--SS--SEEEEEEEETTTCCGCEEEEEETTTSEEEEES--TT-EEEEEEEEEETTEE-E", "",
                   "saPenlsvsevtstsltlsWsppkdgggpitgYeveyqekgegeewqevtvprtttsvtltgLepgteYefrVqavngagegp",
                   "saP   ++ +  ++ l ++W p +  +gpi+gY++++++++++  + e+ vp+   s+ +++L++gt+Y++ +  +n++gegp",
                   "SAPVIEHLMGLDDSHLAVHWHPGRFTNGPIEGYRLRLSSSEGNA-TSEQLVPAGRGSYIFSQLQAGTNYTLALSMINKQGEGP",
                   "78999999999*****************************9998.**********************************9997"}),
      made_domain(14.4F, 0.0, 2.04795e-06, {13, 85}, {836, 913}, {826, 914}, 0.73, true,
                  {"CTTEEEEEEE--S.--SS--S.....EEEEEEEETTTCCGCEEEEEETTTSEEEEES--TT-EEEEEEEEEETTE.E-EB", "",
                   "tstsltlsWsppk.dgggpit.....gYeveyqekgegeewqevtvprtttsvtltgLepgteYefrVqavngag.egpe",
                   "++  + +sW++p+ ++ +  +     +Ye+e+ ++ ++++   +++ ++   + l+ L+p+  Y++rV+a+n +g  g++",
                   "GAQAAKISWKEPErNPYQSADaarswSYELEVLDVASQSAFSIRNIRGPI--FGLQRLQPDNLYQLRVRAINVDGePGEW",
                   "56677889999987443333223333899999999999955555566666..**********************965655"}),
      made_domain(
          5.1F, 0.0, 0.0016, {10, 36}, {1209, 1235}, {1203, 1259}, 0.82, true,
          {"EEECTTEEEEEEE--S--SS--SEEEE", "", "sevtstsltlsWsppkdgggpitgYev", "++   + ++++W+p+++gg + ++Y++",
           "DDGHWDDFHVRWQPSTSGGNHSVSYRL", "555678999*******99999999997"}),
      made_domain(24.3F, 0.0, 1.7e-09, {14, 80}, {1313, 1380}, {1304, 1386}, 0.82, true,
                  {"TTEEEEEEE--S...--SS--SEEEEEEEETTTCCGCEEEEEETTTSEEEEES--TT-EEEEEEEEEETT", "",
                   "stsltlsWsppk...dgggpitgYeveyqekgegeewqevtvprtttsvtltgLepgteYefrVqavnga",
                   "+ s++l+W++p+   +   + + Y + ++   ++  + e ++  ++ ++ +++L+p+++Y+f+V+a+ +a",
                   "NVSAVLRWDAPEqgqEAPMQALEYHISCWVG-SEL-HEELRLNQSALEARVEHLQPDQTYHFQVEARVAA",
                   "5689********76556667899******55.665.688888888888*****************98665"}),
      made_domain(0.0F, 0.0, 0.06344, {58, 72}, {1754, 1768}, {1739, 1769}, 0.89, false,
                  {"EEEEES--TT-EEEE", "", "svtltgLepgteYef", "s++lt+L p t+Y++", "SLNLTDLLPFTRYRV",
                   "799**********98"}),
      made_domain(
          47.2F, 0.9, 1.1592e-16, {1, 85}, {1799, 1890}, {1799, 1891}, 0.91, true,
          {"----CEEEEEEECTTEEEEEEE--S--SS--SEEEEEEEETTTCC.......GCEEEEEETTTSEEEEES--TT-EEEEEEEEEETTEE-EB", "",
           "psaPenlsvsevtstsltlsWsppkdgggpitgYeveyqekgege.......ewqevtvprtttsvtltgLepgteYefrVqavngagegpe",
           "ps+P+n+sv+  ++++l++sW pp++ +++ ++Y++++q++ +ge       ++ + ++ +t+ ++ ltg++pg+ Y+++Vqa+ + +++ +",
           "PSPPRNFSVRVLSPRELEVSWLPPEQLRSESVYYTLHWQQELDGEnvqdrreWEAHERRLETAGTHRLTGIKPGSGYSLWVQAHATPTKSNS",
           "9*************************************99989998****97777777777777*******************988776665"}),
      made_domain(17.8F, 0.0, 1.84815e-07, {6, 74}, {1904, 1966}, {1901, 1976}, 0.90, true,
                  {"EEEEEEECTTEEEEEEE--S--SS--SEEEEEEEETTTCCGCEEEEEETTTSEEEEES--TT-EEEEEE", "",
                   "nlsvsevtstsltlsWsppkdgggpitgYeveyqekgegeewqevtvprtttsvtltgLepgteYefrV",
                   "+l++ e ++ sl+l+W       +p+ + ++e++++ e+    +++v +++t ++++ L+p t+Y+ r+",
                   "ELQLLELGPYSLSLTWAGT---PDPLGSLQLECRSSAEQ---LRRNVAGNHTKMVVEPLQPRTRYQCRL",
                   "5788899************...8***********88555...79**********************986"}),
      made_domain(
          12.8F, 0.0, 6.552e-06, {1, 86}, {1993, 2107}, {1993, 2107}, 0.89, true,
          {"----CEEEEEEECTTEEEEEEE--S--SS--SEEEEEEEETTTCC...........................GCEEEEEETTTS.EEEEES--TT-EEEEEEEEEETTE.E-EBE",
           "",
           "psaPenlsvsevtstsltlsWsppkdgggpitgYeveyqekgege...........................ewqevtvprttt.svtltgLepgteYefrVqavngag.egpes",
           "ps+P+ ++++ + +  ++++W++ + +g+pi  Y++e  + ++                             e+q+ +  +tt+ s+ ++ L  ++   frV+a++ +  +gp+s",
           "PSQPGKPQLEHIAEEVFRVTWTAARGNGAPIALYNLEALQARSDIrrrrrrrrrnsggsleqlpwaeepvvvEDQWLDFCNTTElSCIVKSLHSSRLLLFRVRARSLEHgWGPYS",
           "89***********************9************77755547999999999999999999999999999999999999999999999999999999999999554488876"})};
}

std::vector<Domain> pkinase_domains() {
  return {made_domain(
      136.5F, 0.0, 5.555e-44, {2, 256}, {2210, 2479}, {2209, 2482}, 0.85, true,
      {"EEEEEEEEETTEEEEEEEETTTTE....EEEEEEEEHHHCCCCCCHHHHHHHHHHHHHSSSSB--EEEEEEETTEEEEEEE--TS-BHHHHHH...........HHHST-HHHHHHHHHHHHHHHHHHHHTTEE-S--SGGGEEEETTTEE.......EE--GTT.E..EECSS-C-S--S..-GGGS-HHHHCCS-CTHHHHHHHHHHHHHHHHHH.SS-TTSSSHHCCTHHHHSSHHH......TTS.....HHHHHHHHHHT-SSGGGSTTHHHHHT",
       "",
       "elleklGsGsfGkVykakkkktgk....kvAvKilkkeeekskkektavrElkilkklsHpnivkllevfetkdelylvleyveggdlfdllk...........kegklseeeikkialqilegleylHsngiiHrDLKpeNiLldkkgev.......kiaDFGlakkleksseklttlvg..treYmAPEvllkakeytkkvDvWslGvilyellt.gklpfsgeseedqleliekilkkkleedepkssskseelkdlikkllekdpakRltaeeilk",
       "+ll+ lGsG+fG+Vy+++ k++ +    +vA+K l+k  ++  +     +E++++ +++H+niv l++++ + +++ l++e++e+gdl ++l+               ls  e+  ++  +++g +yl +++++HrDL   N+L++++          ki DFGla+ ++ks+   ++  g    ++m+PE l  +   t+++DvW++Gv+++e+lt g+ p+  +   ++ e++++++++   ++ p  ++  e+l +l+  ++++dp +R++++++++",
       "KLLRFLGSGAFGEVYEGQLKTEDSeepqRVAIKSLRKGASEFAELL---QEAQLMSNFKHENIVCLVGICFDTESISLIMEHMEAGDLLSYLRaaratstqepqPTAGLSLSELLAMCIDVANGCSYLEDMHFVHRDLACRNCLVTESTGStdrrrtvKIGDFGLARDIYKSDYYRKEGEGllPVRWMSPESLV-DGLFTTQSDVWAFGVLCWEILTlGQQPYAAR---NNFEVLAHVKEGGRLQQ-PPMCT--EKLYSLLLLCWRTDPWERPSFRRCYN",
       "67899*********88776655444444********9998887764...4*******************************************9988887766555666************************************9554445999*************988887777766622679********.9999***************999899999999...55666655555443333.33344..89*******************99887"})};
}

std::vector<Domain> test1_domains() {
  return {made_domain(72.1F, 0.1, 1.075e-24, {1, 20}, {1, 20}, {1, 20}, 0.99, true,
                      {"", "xxxxxxxxxxxxxxxxxxxx", "ACDEFGHIKLMNPQRSTVWY", "ACDEFGHIKLMNPQRSTVWY",
                       "ACDEFGHIKLMNPQRSTVWY", "9*******************"})};
}

std::vector<Domain> test4_domains() {
  return {made_domain(70.8F, 0.1, 2.75e-24, {1, 20}, {4, 23}, {4, 23}, 0.99, true,
                      {"", "xxxxxxxxxxxxxxxxxxxx", "ACDEFGHIKLMNPQRSTVWY", "ACDEFGHIKLMNPQRSTVWY",
                       "ACDEFGHIKLMNPQRSTVWY", "9*******************"})};
}

std::vector<Domain> test3_domains() {
  return {
      made_domain(41.2F, 6.2, 5e-15, {1, 20}, {1, 24}, {1, 24}, 0.98, true,
                  {"", "xxxxxxxxxxxx.....xxxxxxxx", "ACDEFGHIKLMN.....PQRSTVWY", "ACDEFGHI LMN     PQRSTVWY",
                   "ACDEFGHI-LMNxxxxxPQRSTVWY", "9*******.****************"})};
}

std::vector<Domain> test2_domains() {
  return {made_domain(39.6F, 6.1, 1.55e-14, {1, 20}, {5, 25}, {5, 25}, 0.94, true,
                      {"", "xxxxxxxxxxxx...xxxxxxxx", "ACDEFGHIKLMN...PQRSTVWY", "ACDEFGHI  MN   PQRSTVWY",
                       "ACDEFGHI--MNxxxPQRSTVWY", "9******9..88888********"})};
}

Hit made_hit(const Query& target, float score, float bias, double p_value, float expected, std::size_t best,
             std::vector<Domain> domains) {
  Hit hit;
  hit.name = target.name;
  hit.accession = target.accession;
  hit.description = target.description;
  hit.length = target.length;
  hit.score = score;
  hit.score_before_bias = score + bias;
  hit.log_p = std::log(p_value);
  hit.expected_domains = expected;
  hit.domains = std::move(domains);
  hit.regions = hit.envelopes = hit.reported_domains = static_cast<int>(hit.domains.size());
  for (const Domain& domain : hit.domains) hit.included_domains += domain.included;
  hit.best = best;
  hit.reported = hit.included = true;
  return hit;
}

const Query kFn3{"fn3", "PF00041.13", "Fibronectin type III domain", 86};
const Query kPkinase{"Pkinase", "PF00069.17", "Protein kinase domain", 260};
const Query kSevenless{"7LESS_DROME", "P13368", "RecName: Full=Protein sevenless;          EC=2.7.10.1;",
                       2554};

Hit fn3_hit(const Query& target) {
  Hit hit = made_hit(target, 178.0F, 0.4F, 1.9e-57, 9.4F, 6, fn3_domains());
  hit.clustered = 1;
  return hit;
}

Hit pkinase_hit(const Query& target) {
  return made_hit(target, 137.2F, 0, 3.6e-44, 1.3F, 0, pkinase_domains());
}

Answer made_answer(const Query& query, std::vector<Hit> hits, const Counters& counters, double targets) {
  Answer answer{query, {}};
  answer.result.reported = static_cast<std::int64_t>(hits.size());
  answer.result.domain_targets = static_cast<double>(hits.size());
  answer.result.hits = std::move(hits);
  answer.result.counters = counters;
  answer.result.targets = targets;
  return answer;
}

}  // namespace

Answer fn3_search() { return made_answer(kFn3, {fn3_hit(kSevenless)}, {1, 86, 1, 2554, 1, 1, 1, 1}, 1); }

Answer pkinase_search() {
  return made_answer(kPkinase, {pkinase_hit(kSevenless)}, {1, 260, 1, 2554, 1, 1, 1, 1}, 1);
}

Answer sevenless_scan() {
  return made_answer(kSevenless, {fn3_hit(kFn3), pkinase_hit(kPkinase)}, {6, 729, 1, 2554, 2, 2, 2, 2}, 6);
}

Answer fruitless_search() { return made_answer(kFn3, {}, {1, 86, 10, 4000, 1, 1, 0, 0}, 10); }

Answer twenty_search() {
  return made_answer({"test", "", "", 20},
                     {made_hit({"test1", "", "", 20}, 72.1F, 0.1F, 4.2e-24 / 4, 1.0F, 0, test1_domains()),
                      made_hit({"test4", "", "", 30}, 70.9F, 0.1F, 1e-23 / 4, 1.0F, 0, test4_domains()),
                      made_hit({"test3", "", "", 27}, 42.6F, 6.2F, 7.3e-15 / 4, 1.7F, 0, test3_domains()),
                      made_hit({"test2", "", "", 25}, 40.6F, 6.1F, 2.9e-14 / 4, 1.5F, 0, test2_domains())},
                     {1, 20, 4, 99, 4, 4, 4, 4}, 4);
}

std::string golden(const std::string& name) {
  std::ifstream file(std::string(GPUHMM_TESTDATA) + "/hmmer3/reports/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace gpuhmm::hmmer3::testing

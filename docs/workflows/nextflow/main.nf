// A module with the inputs and outputs of nf-core's hmmer/hmmsearch, which does the search in shares.
// It has not been run: Nextflow is not among the programs that gpuhmm's tests can install.
//
// Parameter of the workflow: params.gpuhmm_shares, the number of shares. ext.args: options of the search.
// Files of a run must have the same names in all its tasks, as Nextflow's staging gives them.

process GPUHMM_SHARE {
    tag "$meta.id $share/$shares"
    label 'process_medium'

    input:
    tuple val(meta), path(hmmfile), path(seqdb), val(share), val(shares)

    output:
    tuple val(meta), path("${meta.id}.${share}.part"), emit: part
    path "versions.yml"                              , emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    """
    gpuhmm search --quiet ${args} --cpu ${task.cpus} --shard ${share}/${shares} \\
        -o ${meta.id}.${share}.part ${hmmfile} ${seqdb}

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        gpuhmm: \$(gpuhmm --version | cut -d ' ' -f 2)
    END_VERSIONS
    """
}

process GPUHMM_MERGE {
    tag "$meta.id"
    label 'process_single'

    input:
    tuple val(meta), path(parts), val(write_align), val(write_target), val(write_domain)

    output:
    tuple val(meta), path("*.txt.gz")   , emit: output
    tuple val(meta), path("*.sto.gz")   , emit: alignments    , optional: true
    tuple val(meta), path("*.tbl.gz")   , emit: target_summary, optional: true
    tuple val(meta), path("*.domtbl.gz"), emit: domain_summary, optional: true
    path "versions.yml"                 , emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def prefix     = task.ext.prefix ?: "${meta.id}"
    def alignment  = write_align  ? "--msa ${prefix}.sto"          : ''
    def target     = write_target ? "--tblout ${prefix}.tbl"       : ''
    def domain     = write_domain ? "--domtblout ${prefix}.domtbl" : ''
    """
    gpuhmm merge --quiet -o ${prefix}.txt ${alignment} ${target} ${domain} ${parts}

    gzip --no-name *.txt \\
        ${write_align  ? '*.sto'    : ''} \\
        ${write_target ? '*.tbl'    : ''} \\
        ${write_domain ? '*.domtbl' : ''}

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        gpuhmm: \$(gpuhmm --version | cut -d ' ' -f 2)
    END_VERSIONS
    """
}

workflow GPUHMM_HMMSEARCH {
    take:
    ch_input // channel: [ val(meta), path(hmmfile), path(seqdb), val(write_align), val(write_target), val(write_domain) ]

    main:
    def shares = (params.gpuhmm_shares ?: 8) as int

    GPUHMM_SHARE(
        ch_input
            .map { meta, hmmfile, seqdb, write_align, write_target, write_domain -> [ meta, hmmfile, seqdb ] }
            .combine(Channel.of(1..shares))
            .map { meta, hmmfile, seqdb, share -> [ meta, hmmfile, seqdb, share, shares ] }
    )

    GPUHMM_MERGE(
        GPUHMM_SHARE.out.part
            .groupTuple(size: shares)
            .join(ch_input.map { meta, hmmfile, seqdb, write_align, write_target, write_domain ->
                [ meta, write_align, write_target, write_domain ] })
    )

    emit:
    output         = GPUHMM_MERGE.out.output
    alignments     = GPUHMM_MERGE.out.alignments
    target_summary = GPUHMM_MERGE.out.target_summary
    domain_summary = GPUHMM_MERGE.out.domain_summary
    versions       = GPUHMM_SHARE.out.versions.first().mix(GPUHMM_MERGE.out.versions.first())
}

#!/bin/bash
# One task of a Slurm array: its share of a search, as the part parts/NUMBER.
#   array=$(sbatch --parsable --array=1-64 slurm_share.sh 64 Pfam-A.hmm proteome.db)
#   sbatch --dependency=afterok:$array --wrap "gpuhmm merge -o report.txt --tblout hits.tbl parts/*"
# A task that failed is done again by itself: sbatch --array=17 slurm_share.sh 64 Pfam-A.hmm proteome.db
#SBATCH --job-name=gpuhmm
#SBATCH --cpus-per-task=1
set -euo pipefail
shares=$1 profiles=$2 sequences=$3
mkdir -p parts
gpuhmm search --quiet --cpu "${SLURM_CPUS_PER_TASK:-1}" --shard "$SLURM_ARRAY_TASK_ID/$shares" \
  -o "parts/$SLURM_ARRAY_TASK_ID" "$profiles" "$sequences"

#!/bin/bash
# A campaign on Slurm: each task of the array is a node. It is sent SIGTERM two minutes before its
# time is up, and goes on where it was when it is requeued or submitted again.
#
#   sbatch docs/cluster/slurm.sh [more for `elenchus fuzz`: seeds, --solver ...]
#
# The password of the database is in ~/.pgpass.
#SBATCH --job-name=elenchus
#SBATCH --array=0-19
#SBATCH --cpus-per-task=8
#SBATCH --mem-per-cpu=3G
#SBATCH --time=24:00:00
#SBATCH --signal=TERM@120
#SBATCH --requeue
#SBATCH --open-mode=append
set -eu

url=${ELENCHUS_SHARE:-postgresql://fuzzer@db.example.org/fuzzing}
campaign=${ELENCHUS_CAMPAIGN:-night}
# On a disk that outlives the task, so that a requeued one is the same node. A home by NFS will do,
# since only the task itself opens the folder: look at the campaign by its URL, not by these folders.
folder=${ELENCHUS_FOLDER:-$HOME/elenchus}/$campaign/${SLURM_ARRAY_TASK_ID}
mkdir -p "${folder%/*}"

# srun passes the signal on. A node that found bugs ends with 1, which is no failure.
code=0
srun elenchus fuzz --share "$url" --campaign "$campaign" --node "task-$SLURM_ARRAY_TASK_ID" \
  --resume-or-start "$folder" --jobs "$SLURM_CPUS_PER_TASK" --grace 90s --max-disk 20G --quiet "$@" ||
  code=$?
[ "$code" -le 1 ]

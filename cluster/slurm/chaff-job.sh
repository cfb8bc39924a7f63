#!/bin/bash
# Carries a planned Chaff job on Slurm. Submits the tasks that can run as an array job, waits for it, and submits what is
# missing again, until nothing is. Then merges the parts into the output folder.
#
#   chaff plan crawl.cdxj -o /shared/crawl.chaff
#   cluster/slurm/chaff-job.sh /shared/crawl.chaff --mem=4G --time=2:00:00
#
# Options after the job folder are passed to sbatch and srun. The job folder, the inputs and the folder of this script
# must have the same path on all nodes. The script waits until the job is done and needs almost no CPU time: run it in
# tmux, or with sbatch as a job of its own. Started again, it goes on where it was.
#
#   CHAFF           the command, with arguments separated by spaces (default: chaff)
#   CHAFF_ELEMENTS  most elements of an array; each runs its share of the tasks one after the other (default: 1000)
#   CHAFF_ROUNDS    give up after this many rounds in a row that commit nothing (default: 5)
#   CHAFF_PAUSE     seconds between two looks at the queue, and after a round that commits nothing (default: 15)
#
# Exit codes: 0 merged; 3 merged, but captures could not be read (problems.jsonl); 65 a task has reported that no attempt
# can succeed; 75 gave up, try again later; 1 other failures.
set -euo pipefail

job=$(realpath "${1:?usage: chaff-job.sh JOB [SBATCH OPTIONS]}")
shift
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export CHAFF="${CHAFF:-chaff}"
read -ra chaff <<<"$CHAFF"
say() { echo "chaff-job: $*" >&2; }

# indexes of an array must stay below a limit of the cluster
most=$(scontrol show config | awk '$1 == "MaxArraySize" { print $3 }')
((${CHAFF_ELEMENTS:-1000} > most)) || most=${CHAFF_ELEMENTS:-1000}

pause=${CHAFF_PAUSE:-15}
name=
trap '[ -z "$name" ] || scancel --user="$(id -un)" --name="$name"; exit 143' INT TERM

before=
idle=0
for (( ; ; )); do
  ready=$("${chaff[@]}" status "$job" --ready)
  [ -n "$ready" ] || break
  if [ "$ready" != "$before" ]; then
    idle=0
  elif ((++idle == ${CHAFF_ROUNDS:-5})); then
    say "gave up after $idle rounds that committed nothing; the tasks have said why in $round/*.log"
    exit 75
  else
    sleep "$pause"
  fi
  before=$ready

  mkdir -p "$job/.work/slurm"
  round=$(mktemp -d "$job/.work/slurm/$(date +%Y%m%dT%H%M%S)-XXXX")
  echo "$ready" >"$round/tasks"
  tasks=$(wc -l <"$round/tasks")
  elements=$((tasks < most ? tasks : most))
  say "$tasks tasks in an array of $elements"
  name=chaff-$(basename "$round")
  # Slurm itself requeues the elements of a node that is lost
  sbatch --requeue --open-mode=append --output="$round/%a.log" "$@" --job-name="$name" \
    --array="0-$((elements - 1))" "$here/chaff-tasks.sbatch" "$job" "$round" >"$round/array"
  # (sbatch --wait would look less and less often, up to half a minute late)
  until queue=$(squeue --noheader --user="$(id -un)" --name="$name") && [ -z "$queue" ]; do
    sleep "$pause" &
    wait $!
  done
  # exit codes of elements decide nothing but this: what is committed counts
  if [ -e "$round/permanent" ]; then
    say "the job cannot succeed: $(cat "$round/permanent")"
    exit 65
  fi
done

say 'merging'
srun --ntasks=1 "$@" --job-name=chaff-merge "${chaff[@]}" merge "$job"

#!/bin/sh
# Runs the tasks of a stage (learn, label) that belong to one index of an Indexed Job: every CHAFF_SLICES-th one.
# The exit code is that of `chaff task`. A task that is committed already costs nothing, so an index can be run again.
set -eu

stage=$1
tasks=$(mktemp)
ls "$CHAFF_JOB/.work/manifests" |
  sed -n "s/^\($stage-[0-9]*\)\.json\$/\1/p" |
  awk -v slices="$CHAFF_SLICES" -v slice="$JOB_COMPLETION_INDEX" 'NR % slices == slice' >"$tasks"
exec <"$tasks"
rm "$tasks"
# as the first process of the container chaff gets the signal that ends the pod, and commits the current task
exec chaff task "$CHAFF_JOB" -

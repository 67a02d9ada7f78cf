#!/bin/bash
# A study with GNU parallel, here or over ssh (--sshloginfile HOSTS, a folder that all of them see):
#   parallel.sh STUDY OUT [SHARDS]
set -u
study=$1 out=$2 shards=${3:-8}
seq "$shards" | parallel --will-cite --retries 3 --line-buffer "${SINEW:-sinew}" solve "$study" -o "$out" --shard "{}/$shards" --jobs 1 --json
"${SINEW:-sinew}" merge "$out"

# A short timeline on standard output: the header and the first ops; then what is beside a file.
hindcast synth steps --dp 1 --pp 2 --microbatches 2 --steps 1 --seed 5 | head -n 4
hindcast synth steps --dp 1 --pp 2 --microbatches 2 --steps 2 --seed 5 -o trace-s.csv
hindcast synth steps --dp 1 --pp 2 --microbatches 2 --steps 2 --seed 5 --job s -o other.csv.gz
zcat other.csv.gz | cmp - trace-s.csv
cat meta-s.yaml
ls

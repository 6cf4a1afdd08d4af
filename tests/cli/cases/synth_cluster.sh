# The records of a cluster: the same bytes again, and as many of each kind as planted.
"$HINDCAST" synth cluster --nodes 16 --days 20 --jobs 300 --runs 3 --faults 60 --seed 3 -o made
"$HINDCAST" synth cluster --nodes 16 --days 20 --jobs 300 --runs 3 --faults 60 --seed 3 -o again -q
diff -r made again && echo same
(cd made && find . -type f | sort)
head -n 2 made/slurm/sacct.txt
head -n 2 made/kernel/*
head -n 4 made/truth/*
cut -d, -f7 made/truth/attempts.csv | sort | uniq -c
tail -n +2 made/slurm/sacct.txt | wc -l
wc -l <made/slurm/sacct-xdmod.txt
"$HINDCAST" ingest -q -o - -a a made/slurm/sacct.txt
"$HINDCAST" ingest -q -o - -a a made/slurm/sacct-xdmod.txt
"$HINDCAST" synth cluster --start tomorrow -o never
"$HINDCAST" synth cluster -o made

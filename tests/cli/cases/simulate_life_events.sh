# A life with more stretches than are kept one by one is summed up, and that is said where it is
# shown; the figures stay what they are.
options="--preset llama3 -q --replicas 2 --seed 1"
hindcast simulate ${options/-q/} -o all/ >all.txt
hindcast simulate ${options/-q/} --life-events 100 -o some/ >some.txt
hindcast simulate $options --life-events 100 -o again/ >/dev/null
diff -r some again
sed -n '/"life": {/,/"longest"/p' all/result.json
sed -n '/"life": {/,/"longest"/p' some/result.json
sed -n '/"summed_up"/,/}/p' all/life.perfetto.json some/life.perfetto.json
grep -o 'It is too long to be shown[^<]*' some/report.html
grep -c '"events":[0-9]' some/life.perfetto.json
diff <(grep -v '^run' all.txt) <(grep -v '^run' some.txt) && echo 'the same figures'
hindcast simulate --preset llama3 --life-events 99

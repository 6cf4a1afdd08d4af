# The attempts of one run, job or node, over the night that is worked out by hand: of job 100, 180 minutes of 16 GPUs
# count (48 GPU-hours) and 45 are lost (12); a node has half of that.
source "$SOURCE_DIR/tests/support/small_night.bash"
small_night
hindcast report run big -a a
hindcast report node n2 -a a
hindcast report job 200 -a a
hindcast report job 100 -a a --csv - | cut -d, -f1-4,8-20
hindcast report run big -a a --json | sed -n '/"kind"/,/"attempts"/p'
hindcast report node n2 -a a --json | grep '"failures": \|"expected"\|"node_days"' | head -n 3
hindcast report run big -a a --html page.html --csv tables -o text && ls tables && grep -c '<table' page.html
for wrong in 'run none' 'node n9' 'job 7' 'job big' 'job 1_x' 'job 100_1' 'run'; do
    hindcast report ${wrong%% *} -a a $([ "$wrong" = run ] || echo "${wrong#* }") || echo "exit $?" >&2
done

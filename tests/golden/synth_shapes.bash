# Synthetic profiler traces of many shapes against their truth; sourced by golden/synth_kineto.sh and
# long/synth_kineto_shapes.sh. Needs $hindcast, jq and a working directory of its own.
#
# Of every shape: the true offset of each clock lies within the printed bounds. Where the planted rank has
# peers and costs 2 % of the healthy run or more: it comes first by cost. Where nothing is lost, too: its
# cost is within 5 % of the truth. Traces that lack events are not asked for the cost, since the lost kernels
# are lost to any reader.

# What is known to fail: "SHAPE WHAT", a line each. One that no longer does must leave the list.
known=''

# shape I: the options of shape I.
shape() {
    local i=$1 dps=(2 3 4 8) pps=(1 2 1 4 1) microbatches=(1 2 4) factors=(1.08 1.3 1.6 2.5) doubles=(2.16 2.6 3.2 5)
    local tens=(10.8 13 16 25) late=(1 3 10 30) pauses=(5 20 60 200) clocks=(0 5 700 3600000) drifts=(0 0 5)
    local names=(flash gemm mlp) dp=${dps[i % 4]} pp=${pps[i / 4 % 5]}
    ((dp * pp <= 16)) || dp=$((dp / 2))
    local n=$((dp * pp)) steps=$((2 + i % 3)) k=$((i / 5 % 4))
    local r=$(((7 * i + 3) % n)) other
    other=$(((r + (pp > 1 ? dp : 1)) % n))
    echo --dp $dp --pp $pp --microbatches ${microbatches[i / 3 % 3]} --layers $((1 + i / 2 % 4)) --steps $steps --seed "$i" \
        --clock-spread-ms ${clocks[i / 7 % 4]} --drift-spread-ppm ${drifts[i / 2 % 3]} --lost "$(lost_share "$i")"
    ((i % 2 == 0)) || echo --no-seq
    ((i % 3 > 0)) || echo --names-differ
    case $((i % 5)) in
    0) echo --slow-rank $r,${factors[k]} ;;
    1) echo --slow-kernel $r,${doubles[k]},${names[i % 3]} ;;
    2) echo --slow-link $r,$other,${tens[k]} ;;
    3) echo --late-host $r,${late[k]} ;;
    4) echo --pause $r,$((10 + i % steps)),${pauses[k]} ;;
    esac
}

lost_share() { # I
    (($1 / 6 % 4 < 3)) && echo 0 || echo 0.003
}

# What is wrong with the answer for a shape, a word a line; and whether it was asked for the rank.
judge='
    ($truth[0].planted[0]) as $p | (.stragglers | max_by(.cost_ns)) as $worst
    | ([.stragglers[] | select(.rank == $p.rank)][0].cost_ns) as $cost
    | ($p.has_peers and $p.cost_share >= 0.02) as $counts
    | (if [.stragglers, $truth[0].ranks] | transpose
           | all(.[0].rank == .[1].rank and .[0].offset_low_ns <= .[1].offset_ns
                 and .[1].offset_ns <= .[0].offset_high_ns) then empty else "bounds" end),
      (if .stragglers | all(.component == 0 and .offset_low_ns != null) then empty else "component" end),
      (if $counts then "asked" else empty end),
      (if $counts and $worst.rank != $p.rank then "first"
       elif $counts and $lost == 0 and ($cost - $p.cost_ns | fabs) > 0.05 * $p.cost_ns then "cost"
       else empty end)'

# try_shapes I...: prints what fails that should not; counts in n_asked and n_tried.
try_shapes() {
    local i word found
    n_tried=0 n_asked=0 n_wrong=0
    for i; do
        rm -rf traces
        # shellcheck disable=SC2046
        "$hindcast" synth kineto -q $(shape "$i") -o traces
        "$hindcast" report stragglers -q --json traces >answer.json 2>answer.err ||
            { echo "shape $i: exit $?: $(cat answer.err)"; n_wrong=$((n_wrong + 1)); continue; }
        found=$(jq -r --slurpfile truth traces/truth.json --argjson lost "$(lost_share "$i")" "$judge" answer.json)
        n_tried=$((n_tried + 1))
        for word in $found; do
            [ "$word" = asked ] && { n_asked=$((n_asked + 1)); continue; }
            grep -qx "$i $word" <<<"$known" && continue
            echo "shape $i ($(shape "$i" | tr '\n' ' ')): $word"
            n_wrong=$((n_wrong + 1))
        done
        while read -r number word; do
            [ "$number" != "$i" ] || grep -qx "$word" <<<"$found" ||
                { echo "shape $i: '$word' is right now: take it off the list of known failures"; n_wrong=$((n_wrong + 1)); }
        done <<<"$known"
    done
}

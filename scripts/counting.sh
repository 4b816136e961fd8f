# shellcheck shell=bash
# Sourced by the check scripts: runs test programs and counts passed and failed tests in `passed` and `failed`.
passed=0
failed=0

step() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }

# Adds the counts of a log's last `N passed, N failed` line; without one, the step itself counts as failed.
count() {
  local status=$1 log=$2 line
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1 || true)
  if [[ -z $line ]]; then
    failed=$((failed + 1))
    return
  fi
  read -r ok _ bad _ <<<"$line"
  passed=$((passed + ok))
  failed=$((failed + bad))
  if ((status != 0 && bad == 0)); then failed=$((failed + 1)); fi
}

# Runs a test script that ends with `N passed, N failed`.
script() {
  local log status=0
  log=$(mktemp)
  "$@" 2>&1 | tee "$log" || status=$?
  count "$status" "$log"
  rm -f "$log"
}

# Starts a test script in the background, for scripts that use one core. await_scripts waits for all of them, prints
# their output and adds their counts.
started=()
logs=()
start_script() {
  local log
  log=$(mktemp)
  "$@" >"$log" 2>&1 &
  started+=("$!")
  logs+=("$log")
}
await_scripts() {
  local i status
  for i in "${!started[@]}"; do
    status=0
    wait "${started[i]}" || status=$?
    cat "${logs[i]}"
    count "$status" "${logs[i]}"
    rm -f "${logs[i]}"
  done
  started=()
  logs=()
}

# Runs ctest in build folder $1 with further arguments and adds the counts of its summary.
unit_tests() {
  local folder=$1 log status=0
  shift
  log=$(mktemp)
  ctest --test-dir "$folder" -j"$(nproc)" --output-on-failure --no-tests=error "$@" >"$log" 2>&1 || status=$?
  local summary bad all
  summary=$(grep -E '[0-9]+ tests failed out of [0-9]+' "$log" || true)
  if [[ $summary =~ ([0-9]+)\ tests\ failed\ out\ of\ ([0-9]+) ]]; then
    bad=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    echo "$((all - bad)) passed, $bad failed" >>"$log"
  fi
  if ((status != 0)); then cat "$log"; else tail -n 1 "$log"; fi
  count "$status" "$log"
  rm -f "$log"
}

# Prints the last line of a check. Fails if a test failed or none ran.
all_counted() {
  step "All"
  echo "$passed passed, $failed failed"
  ((failed == 0 && passed > 0))
}

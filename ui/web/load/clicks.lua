-- Clicks of many sessions, for wrk: each connection plays its own games, with one more
-- queen in each request, on boards of the size in the environment variable N (default 8)
-- with the back-end in BACKEND (default: the best for N). A placement without a
-- completion is an ordinary answer. Answers with a status other than 200 are counted,
-- and the count is printed at the end.
--
--	wrk -t2 -c16 -d30s --latency -s ui/web/load/clicks.lua http://127.0.0.1:8080

local n = tonumber(os.getenv("N") or "8")
local backend = os.getenv("BACKEND") or ""
local threads = {}

function setup(thread)
  thread:set("seed", #threads + 1)
  table.insert(threads, thread)
end

local placed, taken = {}, {}
refused = 0

function init(args)
  math.randomseed(seed)
end

local function file(col)
  local letters = ""
  col = col + 1
  while col > 0 do
    letters = string.char(97 + (col - 1) % 26) .. letters
    col = math.floor((col - 1) / 26)
  end
  return letters
end

function request()
  -- Take a free row and column each time, so most placements make sense.
  if #placed >= math.floor(n / 2) or math.random() < 0.1 then
    placed, taken = {}, {}
  end
  local row, col
  repeat
    row, col = math.random(0, n - 1), math.random(0, n - 1)
  until not taken["r" .. row] and not taken["c" .. col]
  taken["r" .. row], taken["c" .. col] = true, true
  table.insert(placed, '"' .. file(col) .. (row + 1) .. '"')
  local body = string.format('{"n":%d,"backend":"%s","counts":true,"placed":[%s]}', n, backend, table.concat(placed, ","))
  return wrk.format("POST", "/api/v1/board", { ["Content-Type"] = "application/json" }, body)
end

function response(status)
  if status ~= 200 then
    refused = refused + 1
  end
end

function done(summary, latency)
  local bad = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout
  local failed = 0
  for _, thread in ipairs(threads) do
    failed = failed + thread:get("refused")
  end
  io.write(string.format("clicks %d  not answered 200: %d  connection errors: %d  p50 %.2f ms  p99 %.2f ms  max %.1f ms\n",
    summary.requests, failed, bad, latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency.max / 1000))
end

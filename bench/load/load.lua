-- Every request is built once, before the clock runs: the load must cost little of the CPU it shares.
local requests = {}

-- With a file, a POST for each of its lines, a token, a body, and maybe a key; without one a GET.
function init(args)
  math.randomseed(os.time())
  if not args[1] then
    requests[1] = wrk.format('GET')
    return
  end
  for line in io.lines(args[1]) do
    local token, body, key = line:match('^(%S+)\t([^\t]+)\t?(%S*)$')
    local headers = { ['Authorization'] = 'Bearer ' .. token, ['Content-Type'] = 'application/json' }
    if key ~= '' then headers['Idempotency-Key'] = key end
    requests[#requests + 1] = wrk.format('POST', nil, headers, body)
  end
end

function request()
  return requests[math.random(#requests)]
end

-- wrk takes a 3xx for a success; verify.mjs finds it, because then fewer messages are stored than were answered.
function done(summary, latency)
  local errors = summary.errors
  local line = '\n{"answers":%d,"seconds":%.6f,"p50":%.3f,"p99":%.3f,"failures":{"answers of 4xx or 5xx":%d,'
    .. '"connections refused":%d,"broken reads":%d,"broken writes":%d,"timeouts":%d}}\n'
  local failures = { errors.status, errors.connect, errors.read, errors.write, errors.timeout }
  local times = { latency:percentile(50) / 1000, latency:percentile(99) / 1000 }
  io.write(line:format(summary.requests, summary.duration / 1000000, times[1], times[2], unpack(failures)))
end

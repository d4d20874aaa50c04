import { bytes, count, elapsed } from '../../../src/engine/report/numbers.ts'
import { useRequests } from '../../hooks/use-requests.ts'
import { clock } from '../../text/times.ts'
import { visibleLine } from '../../text/visible.ts'

const MOST_REQUESTS = 30

/** What passed through a gateway for this session: in, out, why, and how long it waited. Nothing without a gateway. */
export function Requests({ id, lastSeq }: { id: string; lastSeq: number }) {
  const requests = useRequests(id, lastSeq)
  if (requests.length === 0) return null
  return (
    <section class="group requests" aria-label="Requests through the gateway">
      <h3>Requests through the gateway</h3>
      <ul>
        {requests
          .slice(-MOST_REQUESTS)
          .toReversed()
          .map((request) => (
            <li key={`${request.at} ${request.path}`}>
              <span class="number">{clock(request.at)}</span>
              <span class="grow">
                {bytes(request.bytes_in)} → {bytes(request.bytes_out)}
              </span>
              <span class={(request.status ?? 200) < 400 ? 'number' : 'number bad'}>
                {(request.status ?? 200) < 400 ? elapsed(request.own_ms, 1) : request.status}
              </span>
              <span class="why soft">
                {visibleLine(request.why, 200)}
                {request.input_tokens !== undefined &&
                  ` · ${count(request.input_tokens)} tokens, ${count(request.cached_tokens ?? 0)} cached`}
              </span>
            </li>
          ))}
        {requests.length > MOST_REQUESTS && <li class="soft">and {count(requests.length - MOST_REQUESTS)} before</li>}
      </ul>
    </section>
  )
}

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.ts'
import type { Protocol, Reply } from './protocol.ts'

/** Sends a reply as it is. */
export async function deliver(response: ServerResponse, reply: Reply, headers: Record<string, string> = {}) {
  if (reply.kind === 'json') {
    response.writeHead(reply.status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(reply.body))
    return
  }
  open(response)
  await writeAll(response, reply.events)
  if (reply.endMs !== undefined) await pause(reply.endMs)
  response.end()
}

/** Sends an answer until the fault stops it. Without a fault it comes whole. */
export async function deliverFaulty(
  response: ServerResponse,
  events: readonly string[],
  { fault, protocol }: { fault: Fault; protocol: Protocol },
): Promise<void> {
  const half = events.slice(0, Math.ceil(events.length / 2))
  const rest = events.slice(half.length)
  switch (fault.fault) {
    case 'rate-limit': {
      const reply = protocol.error('rate-limit', 'Number of requests has exceeded your rate limit.')
      return deliver(response, reply, { 'retry-after': `${fault.retryAfterSeconds ?? 1}` })
    }
    case 'server-error':
      return deliver(
        response,
        protocol.error('server', 'Internal server error'),
        fault.retryAfterMs === undefined ? {} : { 'retry-after-ms': `${fault.retryAfterMs}` },
      )
    case 'http':
      return deliver(
        response,
        { kind: 'json', status: fault.status, body: { error: { message: fault.message ?? `status ${fault.status}` } } },
        fault.headers,
      )
    case 'page':
      response.writeHead(200, { 'content-type': 'text/html' })
      return void response.end('<!DOCTYPE html><html><body>Please sign in</body></html>')
    case 'nothing':
      open(response)
      return void response.end()
    case 'words-in-stream':
      open(response)
      await writeAll(response, [...(fault.when === 'inside' ? half : []), protocol.errorEvent(fault.words)])
      return void response.end()
    case 'overloaded':
      return deliver(response, protocol.error('overloaded', 'Overloaded'))
    case 'overflow':
      return deliver(response, protocol.overflow(213_462, 200_000))
    case 'reset':
      return void response.socket?.resetAndDestroy()
    case 'reset-in-stream':
      open(response)
      await writeAll(response, half)
      await letRead()
      return void response.socket?.resetAndDestroy()
    case 'malformed':
      open(response)
      await writeAll(response, [...half, 'data: {"type":"content_block_delta","ind\n\n', ...rest])
      return void response.end()
    case 'error-in-stream':
      open(response)
      await writeAll(response, [...half, protocol.errorEvent('Overloaded')])
      return void response.end()
    case 'silence':
      return open(response)
    case 'silence-in-stream':
      open(response)
      return writeAll(response, half)
    case 'truncated':
      open(response)
      await writeAll(response, half)
      return void response.end()
    case 'slow':
      open(response)
      await writeAll(response, events, fault.pauseMs)
      return void response.end()
  }
}

/**
 * A broken connection takes away from a client what it has not read yet. A client in this process has read all after
 * some turns of the event loop, one in another process most likely after this time.
 */
async function letRead(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await pause(10)
}

function open(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.flushHeaders()
}

/** Each event reaches the client before the next is written; one that has gone gets no more. */
async function writeAll(response: ServerResponse, events: readonly string[], pauseMs = 0): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  for (const event of events) {
    if (pauseMs > 0) await pause(pauseMs, undefined, { signal: gone.signal }).catch(() => {})
    if (response.destroyed) return
    if (!response.write(event)) await Promise.race([once(response, 'drain'), once(gone.signal, 'abort')])
  }
  // The written bytes must have left before a connection is broken on purpose.
  if (!response.destroyed) await new Promise<void>((resolve) => response.write('', () => resolve()))
}

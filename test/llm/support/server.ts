import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it came over the wire. */
export type Received = {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly body: Json
  /** Resolves when the other side has closed the connection. */
  readonly closed: Promise<void>
}

// Bodies are looked into freely in tests.
// biome-ignore lint/suspicious/noExplicitAny: what came over the wire has any shape
export type Json = any

export type Served = {
  readonly url: string
  readonly received: readonly Received[]
  readonly stop: () => Promise<void>
}

export type Reply = (response: ServerResponse, received: Received) => void

/** A real HTTP server that gives its replies one after the other (the last one again and again) and keeps what it got. */
export async function serve(...replies: Reply[]): Promise<Served> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const closed = new Promise<void>((resolve) => response.on('close', resolve))
    const got = { path: request.url ?? '', headers: request.headers, text, body: jsonOf(text), closed }
    received.push(got)
    const reply = replies[Math.min(received.length, replies.length) - 1]
    reply?.(response, got)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  onTestFinished(stop)
  return { url, received, stop }
}

/** An event stream, whole. */
export function events(lines: readonly string[]): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(lines.join(''))
  }
}

/** The beginning of an event stream; then it says nothing more, and stays open. */
export function silentAfter(lines: readonly string[]): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.flushHeaders()
    response.write(lines.join(''))
  }
}

/** The beginning of an event stream; then the connection breaks. */
export function brokenAfter(lines: readonly string[]): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(lines.join(''), () => setImmediate(() => response.destroy()))
  }
}

/** An HTTP error. */
export function fails(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

/** A connection that breaks before anything is sent. */
export const resets: Reply = (response) => {
  response.destroy()
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

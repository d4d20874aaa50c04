import { connect, type Socket } from 'node:net'
import { type ServerProcess, serverHome } from '../../test/server/support/processes.ts'
import type { ModelServer } from '../../test/support/model-server/index.ts'

const LISTENERS = 1_000
const MEGABYTE = 1_048_576

export type ClientsOptions = {
  readonly where: string
  readonly model: ModelServer
  readonly program: string
  /** Waits a minute for a client that sends its body byte by byte. */
  readonly long: boolean
}

/** Measures the cost of clients that only listen, do not read, or send too much or too slowly. Prints a line for each. */
export async function measureClients({ where, model, program, long }: ClientsOptions): Promise<void> {
  const home = serverHome(where, model, {}, program)
  try {
    const server = await home.start(['--quiet'])
    await idleListeners(server, await newSession(server))
    await deafListener(server)
    await hugeBody(server)
    await slowHeaders(server)
    if (long) await slowBody(server)
  } finally {
    await home.stop()
  }
}

async function idleListeners(server: ServerProcess, id: string): Promise<void> {
  const before = await memoryOf(server)
  const sockets = Array.from({ length: LISTENERS }, () => ask(server, `GET /v1/sessions/${id}/events?after=now`))
  await Promise.all(sockets.map((socket) => until(socket, ': open')))
  const each = ((await memoryOf(server)) - before) / LISTENERS / 1_024
  const started = performance.now()
  const received = sockets.map((socket) => until(socket, 'wake up'))
  await say(server, id, 'wake up')
  await Promise.all(received)
  const ms = Math.round(performance.now() - started)
  for (const socket of sockets) socket.destroy()
  console.log(
    `${LISTENERS} idle listeners: ${each.toFixed(0)} kB of the server each; all received an event in ${ms} ms`,
  )
}

async function deafListener(server: ServerProcess): Promise<void> {
  const alone = await appendMuch(server, await newSession(server))
  const id = await newSession(server)
  const socket = ask(server, `GET /v1/sessions/${id}/events?after=now`)
  await until(socket, ': open')
  socket.pause()
  const beside = await appendMuch(server, id)
  socket.destroy()
  console.log(
    `50 MB appended beside a listener that does not read: ${beside.ms.toFixed(0)} ms for 512 kB, the server grows by ${beside.grown.toFixed(0)} MB; without it ${alone.ms.toFixed(0)} ms and ${alone.grown.toFixed(0)} MB`,
  )
}

async function appendMuch(server: ServerProcess, id: string): Promise<{ grown: number; ms: number }> {
  const before = await memoryOf(server)
  const times: number[] = []
  for (let i = 0; i < 100; i++) {
    const started = performance.now()
    await say(server, id, 'x'.repeat(MEGABYTE / 2))
    times.push(performance.now() - started)
  }
  const grown = ((await memoryOf(server)) - before) / MEGABYTE
  return { grown, ms: times.toSorted((a, b) => a - b)[50] ?? 0 }
}

async function newSession(server: ServerProcess): Promise<string> {
  return (await server.ask('POST', '/v1/sessions', {})).body.id
}

async function hugeBody(server: ServerProcess): Promise<void> {
  const before = await memoryOf(server)
  const socket = ask(server, 'POST /v1/sessions', ['content-type: application/json', 'transfer-encoding: chunked'])
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
  let sent = 0
  let answer = ''
  socket.on('data', (data) => {
    answer += String(data)
  })
  socket.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  while (!socket.destroyed && answer === '' && sent < 500 * MEGABYTE) {
    if (!socket.write(chunk)) await new Promise((resolve) => setTimeout(resolve, 1))
    sent += 65_536
  }
  socket.destroy()
  await ended
  const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'no answer'
  const grown = ((await memoryOf(server)) - before) / MEGABYTE
  console.log(
    `a body without an end: refused with ${status} after ${(sent / MEGABYTE).toFixed(0)} MB were sent; the server grows by ${Math.max(0, grown).toFixed(0)} MB`,
  )
}

async function slowHeaders(server: ServerProcess): Promise<void> {
  const socket = connect(portOf(server), '127.0.0.1')
  socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
  console.log(`a client that stops in the middle of its headers is let go after ${await secondsUntilClosed(socket)} s`)
}

async function slowBody(server: ServerProcess): Promise<void> {
  const socket = ask(server, 'POST /v1/sessions', ['content-type: application/json', 'content-length: 1000'])
  const timer = setInterval(() => socket.write(' '), 1_000)
  const seconds = await secondsUntilClosed(socket)
  clearInterval(timer)
  console.log(`a client that sends its body byte by byte is let go after ${seconds} s`)
}

/** A request by hand, with the token. */
function ask(server: ServerProcess, line: string, headers: readonly string[] = []): Socket {
  const socket = connect(portOf(server), '127.0.0.1')
  const lines = [`${line} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${server.token}`, ...headers]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return socket
}

function until(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let got = ''
    const onData = (data: Buffer) => {
      got += data.toString()
      if (!got.includes(text)) return
      socket.off('data', onData)
      resolve()
    }
    socket.on('data', onData)
    socket.once('error', reject)
  })
}

async function secondsUntilClosed(socket: Socket): Promise<string> {
  const started = performance.now()
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('close', resolve).resume())
  return ((performance.now() - started) / 1_000).toFixed(0)
}

async function say(server: ServerProcess, id: string, content: string): Promise<void> {
  await server.ask('POST', `/v1/sessions/${id}/messages`, { messages: [{ message: { role: 'user', content } }] })
}

async function memoryOf(server: ServerProcess): Promise<number> {
  const text = String((await server.ask('GET', '/metrics')).body)
  return Number(/^pith_memory_bytes (\S+)$/m.exec(text)?.[1] ?? 0)
}

function portOf({ url }: ServerProcess): number {
  return Number(new URL(url).port)
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { type AddressInfo, createServer as createListener } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programPath } from '../../../src/config/places/program-path.ts'
import { type Home, type ServerProcess, serverHome } from '../../server/support/processes.ts'
import { full } from '../../support/full.ts'
import { type ModelServer, startModelServer } from '../../support/model-server/index.ts'

const HOST = 'pith.example'
const PATH = `${process.env.PATH}:/usr/sbin`

/** The configurations in docs/deploy.md, on a port of this machine that is not 443. */
const PROXIES = [
  {
    name: 'nginx',
    args: (folder: string) => ['-p', folder, '-c', 'proxy.conf', '-e', 'stderr', '-g', 'daemon off;'],
    config: (documented: string, { port, server, folder }: ProxyPlace) =>
      [
        process.getuid?.() === 0 ? 'user root;' : '',
        'pid nginx.pid; events {} http { access_log off;',
        documented
          .replace('127.0.0.1:7484', server)
          .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
          .replaceAll('/etc/ssl/pith.example', join(folder, 'pith')),
        '}',
      ].join('\n'),
  },
  {
    name: 'caddy',
    args: (folder: string) => ['run', '--adapter', 'caddyfile', '--config', join(folder, 'proxy.conf')],
    config: (documented: string, { port, server, folder }: ProxyPlace) =>
      [
        '{\n admin off\n auto_https disable_redirects\n grace_period 1s\n}',
        documented
          .replace('127.0.0.1:7484', server)
          .replace(`${HOST} {`, `${HOST}:${port} {\n\ttls ${join(folder, 'pith.crt')} ${join(folder, 'pith.key')}`),
      ].join('\n'),
  },
]

type ProxyPlace = { readonly port: number; readonly server: string; readonly folder: string }

let model: ModelServer
let home: Home
let server: ServerProcess
let release: () => void = () => {}

/** A provider that sends the second half of its answer only when the test says so. */
const provider = createServer(async (incoming, response) => {
  incoming.resume()
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: ping\ndata: {}\n\n')
  await new Promise<void>((resolve) => {
    release = resolve
  })
  response.end('event: message_stop\ndata: {}\n\n')
})

describe.runIf(full)('a proxy with TLS on another port', () => {
  beforeAll(async () => {
    model = await startModelServer({ brain: () => ({ text: 'ok' }) })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    const { port } = provider.address() as AddressInfo
    const gateway = { upstreams: { anthropic: `http://127.0.0.1:${port}` } }
    home = serverHome('unused', model, { hosts: [HOST] }, undefined, { gateway, store: undefined, policy: {} })
    server = await home.start(['--quiet'])
  })
  afterAll(async () => {
    await home?.stop()
    await model?.close()
    provider.closeAllConnections()
    provider.close()
  })

  describe.each(PROXIES)('$name', ({ name, args, config }) => {
    it.skipIf(programPath(name, PATH) === undefined)('lets everything through as it comes', async () => {
      const folder = mkdtempSync(join(tmpdir(), `pith-${name}-`))
      const port = await freePort()
      const place = { port, server: new URL(server.url).host, folder }
      certificate(folder)
      writeFileSync(join(folder, 'proxy.conf'), config(documented(name), place))
      mkdirSync(join(folder, 'data'))
      const env = { PATH, HOME: folder, XDG_DATA_HOME: join(folder, 'data') }
      const proxy = spawn(name, args(folder), { env, stdio: ['ignore', 'ignore', 'pipe'] })
      let said = ''
      proxy.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
      try {
        await expect
          .poll(async () => ({ status: await ready(port), said }), { timeout: 60_000 })
          .toMatchObject({ status: 200 })
        await tried(port)
      } finally {
        await ended(proxy)
        rmSync(folder, { recursive: true, force: true })
      }
    })
  })
})

async function tried(port: number): Promise<void> {
  const own = { origin: `https://${HOST}:${port}`, 'content-type': 'application/json' }
  const signedIn = await sent(port, 'POST', '/v1/sign-in', JSON.stringify({ token: home.token }), own)
  const [cookie = ''] = signedIn.headers['set-cookie'] ?? []
  expect({ status: signedIn.status, cookie }).toEqual({ status: 200, cookie: expect.stringContaining('; Secure') })
  const made = await sent(port, 'POST', '/v1/sessions', '{}', { ...own, cookie: cookie.split(';')[0] ?? '' })
  expect(made.status).toBe(201)
  const { id } = JSON.parse(made.body)

  const token = { authorization: `Bearer ${home.token}` }
  const events = await opened(port, 'GET', `/v1/sessions/${id}/events`, '', { ...token, accept: 'text/event-stream' })
  const body = JSON.stringify({ messages: [{ message: { role: 'user', content: 'Through the proxy' } }] })
  await sent(port, 'POST', `/v1/sessions/${id}/messages`, body, { ...token, 'content-type': 'application/json' })
  await firstOf(events, 'Through the proxy')
  events.destroy()

  // The answer of a model comes while the provider still writes it.
  const gateway = { 'x-pith-gateway': home.token, 'content-type': 'application/json' }
  const answer = await opened(port, 'POST', '/gateway/anthropic/v1/messages', '{"model":"m","messages":[]}', gateway)
  await firstOf(answer, 'event: ping')
  release()
  expect(await textOf(answer)).toContain('message_stop')

  // Twice what the server takes on its own routes passes the proxy, to an agent's provider as a whole.
  const large = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(33_000_000) }] })
  const whole = await opened(port, 'POST', '/gateway/anthropic/v1/messages', large, gateway)
  release()
  expect(await textOf(whole)).toContain('message_stop')
  const refused = await sent(port, 'POST', '/v1/sessions', large, { ...token, 'content-type': 'application/json' })
  expect(refused.status).toBe(413)
  // Caddy answers a request for another name itself, with nothing.
  const other = await sent(port, 'GET', '/v1/sessions', '', { ...token, host: `other.example:${port}` })
  expect(other.body).not.toContain(id)
}

function documented(name: string): string {
  const page = readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8')
  return new RegExp(`\`\`\`${name}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''
}

function certificate(folder: string): void {
  const [key, crt] = [join(folder, 'pith.key'), join(folder, 'pith.crt')]
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  execFileSync('openssl', [...args, '-subj', `/CN=${HOST}`, '-keyout', key, '-out', crt], { stdio: 'ignore' })
}

async function freePort(): Promise<number> {
  const listener = createListener()
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  await new Promise((resolve) => listener.close(resolve))
  return port
}

async function ready(port: number): Promise<number | string | undefined> {
  return sent(port, 'GET', '/ready').then(
    ({ status }) => status,
    (error: Error) => error.message,
  )
}

type Headers = Readonly<Record<string, string>>

/** The answer to a request, as soon as its headers are there. */
function opened(port: number, method: string, path: string, body = '', headers: Headers = {}) {
  const options: RequestOptions = {
    host: '127.0.0.1',
    port,
    method,
    path,
    servername: HOST,
    rejectUnauthorized: false,
    agent: false,
    headers: { host: `${HOST}:${port}`, 'content-length': String(Buffer.byteLength(body)), ...headers },
  }
  return new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(options, resolve).on('error', reject).end(body)
  })
}

async function sent(port: number, method: string, path: string, body = '', headers: Headers = {}) {
  const response = await opened(port, method, path, body, headers)
  return { status: response.statusCode, headers: response.headers, body: await textOf(response) }
}

/** Waits until a stream that has not ended has said this. */
async function firstOf(stream: import('node:http').IncomingMessage, words: string): Promise<void> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    stream.on('end', () => reject(new Error(`the stream ended: ${said}`)))
    stream.on('data', (piece: Buffer) => {
      said += piece
      if (said.includes(words)) resolve()
    })
  })
  stream.removeAllListeners('data')
  stream.pause()
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await gone
}

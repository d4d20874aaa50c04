import { createServer } from 'node:http'
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sendUpstream, type UpstreamRequest } from '../../../src/gateway/upstream/send-upstream.ts'

const REQUEST: UpstreamRequest = {
  method: 'POST',
  address: new URL('https://provider.invalid/v1/messages'),
  headers: [],
  body: Buffer.from('{}'),
  signal: new AbortController().signal,
}

it('goes to a provider through the proxy that the environment names', async () => {
  const asked: (string | undefined)[] = []
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(request.url)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  useProxy(await listening(proxy))

  await expect(sendUpstream(REQUEST)).rejects.toThrow()
  expect(asked).toEqual(['provider.invalid:443'])
})

it.each([
  ['says nothing', undefined],
  ['opens a tunnel to a provider that says nothing', 'HTTP/1.1 200 Connection established\r\n\r\n'],
])('gives a request up at once behind a proxy that %s, and closes its connection', async (_, answer) => {
  const reached = Promise.withResolvers<Socket>()
  const proxy = createNetServer((socket) => {
    socket.once('data', () => {
      if (answer === undefined) return reached.resolve(socket)
      socket.write(answer)
      socket.once('data', () => reached.resolve(socket))
    })
  })
  useProxy(await listening(proxy))
  const gone = new AbortController()

  const sent = sendUpstream({ ...REQUEST, signal: gone.signal })
  const socket = await reached.promise
  const closed = new Promise((resolve) => socket.once('error', resolve).once('close', resolve))
  gone.abort(new Error('the client has gone'))

  await expect(sent).rejects.toThrow('the client has gone')
  await closed
})

it.each(['http://user:50%off-secret@proxy.example:1', 'http://user:secret@pro xy:1'])(
  'refuses a request, and shows no password, if the proxy is %s',
  async (proxy) => {
    useProxy(proxy)

    const sent = sendUpstream(REQUEST)

    await expect(sent).rejects.toThrow(/^HTTPS_PROXY is not a valid address/)
    await expect(sent).rejects.not.toThrow('secret')
  },
)

it.each([
  ['https_proxy', 'http://user:secret@pro xy:1', /^https_proxy is not a valid address/],
  ['https_proxy', 'proxy.example:3128', /^https_proxy is not a valid address/],
  [
    'HTTPS_PROXY',
    'socks5://user:secret@127.0.0.1:1080',
    /^HTTPS_PROXY names a SOCKS proxy, which Pith does not support/,
  ],
  ['https_proxy', 'socks5h://127.0.0.1:1080', /^https_proxy names a SOCKS proxy/],
])('names the variable that it read: %s=%s', async (name, address, line) => {
  useProxy(undefined)
  vi.stubEnv(name, address)

  const sent = sendUpstream(REQUEST)

  await expect(sent).rejects.toThrow(line)
  await expect(sent).rejects.not.toThrow('secret')
})

it.each([
  ['socks5://127.0.0.1:1080', '*'],
  ['proxy.example:3128', 'other.example, LOCALHOST'],
  ['http://user:secret@pro xy:1', '.localhost'],
])('reaches a provider that NO_PROXY names whatever the proxy is: %s, %s', async (proxy, exempt) => {
  const reached = Promise.withResolvers<void>()
  const provider = createNetServer((socket) => {
    reached.resolve()
    socket.destroy()
  })
  const { port } = new URL(await listening(provider))
  useProxy(proxy)
  vi.stubEnv('NO_PROXY', exempt)

  await expect(sendUpstream({ ...REQUEST, address: new URL(`https://localhost:${port}/`) })).rejects.toThrow()
  await reached.promise
  if (exempt !== '*') await expect(sendUpstream(REQUEST)).rejects.toThrow(/^HTTPS_PROXY /)
})

it('takes the address of a proxy with blanks around it', async () => {
  const reached = Promise.withResolvers<void>()
  const proxy = createServer().on('connect', (_, socket) => {
    reached.resolve()
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  useProxy(` ${await listening(proxy)} `)

  await expect(sendUpstream(REQUEST)).rejects.not.toThrow(/^HTTPS_PROXY /)
  await reached.promise
})

function useProxy(address: string | undefined): void {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('HTTPS_PROXY', address)
  vi.stubEnv('https_proxy', undefined)
  vi.stubEnv('NO_PROXY', undefined)
  vi.stubEnv('no_proxy', undefined)
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

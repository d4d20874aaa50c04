import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'

it('goes to a provider through the proxy that the environment names', async () => {
  const asked: (string | undefined)[] = []
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(request.url)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
  // The environment is read when the module is, which another test of this process may have done before.
  vi.resetModules()
  const { sendUpstream } = await import('../../../src/gateway/upstream/send-upstream.ts')

  const sent = sendUpstream({
    method: 'POST',
    address: new URL('https://provider.invalid/v1/messages'),
    headers: [],
    body: Buffer.from('{}'),
    signal: new AbortController().signal,
  })

  await expect(sent).rejects.toThrow()
  expect(asked).toEqual(['provider.invalid:443'])
})

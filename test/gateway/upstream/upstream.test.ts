import { expect, it } from 'vitest'
import { addressAt, isProvidersOwn, knownUpstreams } from '../../../src/gateway/upstream/upstream.ts'

it.each([
  ['https://api.anthropic.com/v1', '/v1/messages?beta=true', 'https://api.anthropic.com/v1/messages?beta=true'],
  ['https://api.openai.com/v1', '/responses', 'https://api.openai.com/v1/responses'],
  ['http://127.0.0.1:80', '/v1/messages', 'http://127.0.0.1/v1/messages'],
  [
    'https://google.test/v1beta',
    '/v1beta/models/m:generateContent',
    'https://google.test/v1beta/models/m:generateContent',
  ],
  ['https://host.test/base/', '//other.test/x', 'https://host.test/base//other.test/x'],
])('%s with the path %s is %s', (url, path, address) => {
  expect(addressAt({ name: 'x', url: new URL(url) }, path).href).toBe(address)
})

it('an upstream is at the address of its provider unless it was given another one', () => {
  const upstreams = knownUpstreams({}, { openai: 'http://127.0.0.1:8080/v1', mine: 'https://api.anthropic.com' })
  const own = upstreams.filter(isProvidersOwn).map(({ name }) => name)
  expect(own).toEqual(expect.arrayContaining(['anthropic', 'google']))
  for (const name of ['openai', 'mine']) expect(own).not.toContain(name)
})

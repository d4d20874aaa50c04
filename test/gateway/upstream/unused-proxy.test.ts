import { expect, it } from 'vitest'
import { unusedProxy } from '../../../src/gateway/upstream/proxied-agent.ts'

it.each([
  [{ ALL_PROXY: 'socks5://user:secret@h:1' }, /^ALL_PROXY names a SOCKS proxy, which Pith does not support: /],
  [{ all_proxy: 'socks5h://h:1' }, /^all_proxy names a SOCKS proxy/],
  [{ ALL_PROXY: 'http://user:secret@h:1' }, /^ALL_PROXY names a proxy: providers are reached without it/],
])('a proxy for everything is not used, in a line without its password: %j', (env, line) => {
  expect(unusedProxy(env)).toMatch(line)
  expect(unusedProxy(env)).not.toContain('secret')
})

it.each([
  {},
  { ALL_PROXY: '' },
  { ALL_PROXY: 'socks5://h:1', HTTPS_PROXY: 'http://h:2' },
  { https_proxy: 'http://h:2' },
])('there is nothing to say for %j', (env) => expect(unusedProxy(env)).toBeUndefined())

import { expect, it } from 'vitest'
import { isExempt } from '../../../src/gateway/upstream/proxied-agent.ts'

const PROVIDER = new URL('https://api.provider.example/v1')

it.each([
  '*',
  'api.provider.example',
  'a, API.Provider.Example',
  'api.provider.example:443',
  '.provider.example',
  '*.provider.example',
])('a host is reached without a proxy by NO_PROXY=%s', (list) => expect(isExempt(PROVIDER, list)).toBe(true))

it.each([
  undefined,
  '',
  ',',
  'provider.example',
  'api.provider.example:8443',
  '.vider.example',
  'api.provider.example.org',
])('a host is reached through the proxy in spite of NO_PROXY=%s', (list) =>
  expect(isExempt(PROVIDER, list)).toBe(false),
)

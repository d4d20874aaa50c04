import { expect, test } from 'vitest'
import { proxyException } from '../../../src/gateway/wrap/wrapped-agent.ts'

const PROXY = 'http://proxy.example:3128'

test.each([
  ['HTTPS_PROXY', { HTTPS_PROXY: PROXY }, '127.0.0.1'],
  ['http_proxy', { http_proxy: PROXY }, '127.0.0.1'],
  [
    'exceptions of the user',
    { ALL_PROXY: PROXY, NO_PROXY: 'localhost,.corp.example' },
    'localhost,.corp.example,127.0.0.1',
  ],
  ['an exception for everything', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, '*'],
  ['exceptions in lower case', { HTTPS_PROXY: PROXY, no_proxy: '.corp.example' }, '.corp.example,127.0.0.1'],
])('an agent behind a proxy reaches its gateway beside it: %s', (_, env, exceptions) => {
  expect(proxyException(env)).toEqual({ NO_PROXY: exceptions, no_proxy: exceptions })
})

test('exceptions in both cases stay apart', () => {
  const env = { HTTPS_PROXY: PROXY, NO_PROXY: 'upper.example', no_proxy: 'lower.example' }
  expect(proxyException(env)).toEqual({ NO_PROXY: 'upper.example,127.0.0.1', no_proxy: 'lower.example,127.0.0.1' })
})

test.each([
  ['without a proxy', { NO_PROXY: 'localhost' }],
  ['for an empty variable', { HTTPS_PROXY: '' }],
])('the environment stays as it is %s', (_, env) => {
  expect(proxyException(env)).toEqual({})
})

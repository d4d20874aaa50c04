import { describe, expect, it } from 'vitest'
import { routeOf, SECRET_HEADER } from '../../src/gateway/access.ts'

const upstreams = [{ name: 'local', url: new URL('http://127.0.0.1:9/v1') }]
const access = { prefix: 'secret-prefix', upstreams }
const host = '127.0.0.1:7485'

describe('who may use a gateway', () => {
  it('is everyone who knows the prefix, by the path or by a header', () => {
    expect(routeOf({ url: '/secret-prefix/local/v1/messages?a=1', headers: { host } }, access)).toMatchObject({
      upstream: { name: 'local' },
      path: '/v1/messages?a=1',
    })
    const headers = { host, [SECRET_HEADER]: 'secret-prefix' }
    expect(routeOf({ url: '/local/responses', headers }, access)).toMatchObject({ path: '/responses' })
    expect(
      routeOf({ url: '/secret-prefix/local/v1/files/a..b%2f...?at=../x', headers: { host } }, access),
    ).toBeDefined()
    expect(routeOf({ url: '/secret-prefix/-/status', headers: { host } }, access)).toEqual({ kind: 'status' })
  })

  it.each([
    ['a wrong prefix', '/secret-prefiX/local/v1/messages', { host }],
    ['no prefix', '/local/v1/messages', { host }],
    ['a wrong header', '/secret-prefix/local/v1/messages', { host, [SECRET_HEADER]: 'other' }],
    ['an upstream that is not on the list', '/secret-prefix/example.com/v1/messages', { host }],
    ['a page in a browser', '/secret-prefix/local/v1/messages', { host, origin: 'https://example.com' }],
    ['a name that a page bound to this address', '/secret-prefix/local/v1/messages', { host: 'evil.example:7485' }],
    ['a path that leaves the upstream’s', '/secret-prefix/local/v1/../admin', { host }],
    ['such a path in other letters', '/secret-prefix/local/%2e%2E/admin', { host }],
    ['one that a server decodes', '/secret-prefix/local/..%2fadmin', { host }],
    ['one that a server decodes, in capitals', '/secret-prefix/local/v1/x%5C%2E.%5Cadmin', { host }],
    ['one with a parameter', '/secret-prefix/local/..;a=1/admin', { host }],
    ['no host', '/secret-prefix/local/v1/messages', {}],
  ])('is not %s', (_, url, headers) => {
    expect(routeOf({ url, headers }, access)).toBeUndefined()
  })
})

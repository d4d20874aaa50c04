import { describe, expect, it } from 'vitest'
import { checkedToken, newToken, ownerOf, tokenHash, tokenRow, tokensFrom } from '../../../src/server/access/tokens.ts'

describe('a token', () => {
  it('is stored without its secret, and read back', () => {
    const budget = { dollarsPerDay: 2.5, tokensPerDay: 1_000 }
    const { secret, ...token } = newToken({ name: 'ci', access: 'write', owner: 'local', admin: true, budget })
    expect(secret).toMatch(/^pith_[\w-]{43}$/)
    expect(token.hash).toBe(tokenHash(secret))
    expect(JSON.stringify(tokenRow(token))).not.toContain(secret)
    expect(tokensFrom([tokenRow(token)])).toEqual([token])
  })

  it('has a name of up to a hundred letters, digits, points, dashes and underscores', () => {
    for (const name of ['a', 'A.b-c_1', 'x'.repeat(100)]) expect(newToken({ name, access: 'write' }).name).toBe(name)
    for (const name of ['', 'a b', 'ä', ' a', 'a\n', 'x'.repeat(101)])
      expect(() => newToken({ name, access: 'write' })).toThrow(
        `${name}: is not a name for a token: use letters, digits, . - _`,
      )
    expect(() => newToken({ name: 'b', access: 'write', owner: '' })).toThrow('b: ')
  })

  it('of an administrator can write', () => {
    const { secret: _, ...token } = newToken({ name: 'a', access: 'write', admin: true })
    expect(() => checkedToken({ ...token, access: 'read' })).toThrow('a: the token of an administrator can write, too')
  })

  it('with rights of a newer version is refused, and the others work', () => {
    const { secret: _, ...token } = newToken({ name: 'a', access: 'read' })
    const newer = { name: 'b', hash: 'b'.repeat(64), body: '{"access":"some"}' }
    expect(tokensFrom([newer, tokenRow(token)])).toEqual([token])
  })

  it('belongs to its own name unless it names an owner', () => {
    expect(ownerOf({ name: 'ci' })).toBe('ci')
    expect(ownerOf({ name: 'ci', owner: 'local' })).toBe('local')
  })
})

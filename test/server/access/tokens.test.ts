import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  addToken,
  findToken,
  hashed,
  loadTokens,
  ownerOf,
  removeToken,
  tokensFile,
  watchedTokens,
} from '../../../src/server/access/tokens.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'pith-tokens-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

describe('the tokens of a folder', () => {
  it('are in a file that a person can read, without their secrets', () => {
    const place = folder()
    const { secret, ...token } = addToken(place, { name: 'ci', access: 'read', owner: 'local' })
    expect(secret).toMatch(/^pith_[\w-]{43}$/)
    expect(tokensFile(place)).toBe(join(place, 'server-tokens.json'))
    expect(readFileSync(tokensFile(place), 'utf8')).toBe(`${JSON.stringify({ tokens: [token] }, null, 2)}\n`)
    expect(loadTokens(place)).toEqual([token])
  })

  it('are closed to others again when a copy of the file has lost its mode', () => {
    const place = folder()
    loadTokens(place)
    chmodSync(tokensFile(place), 0o644)
    loadTokens(place)
    expect(statSync(tokensFile(place)).mode & 0o777).toBe(0o600)
  })

  it('have names of up to a hundred letters, digits, points, dashes and underscores', () => {
    const place = folder()
    for (const name of ['a', 'A.b-c_1', 'x'.repeat(100)])
      expect(addToken(place, { name, access: 'write' }).name).toBe(name)
    for (const name of ['', 'a b', 'ä', ' a', 'a\n', 'x'.repeat(101)])
      expect(() => addToken(place, { name, access: 'write' })).toThrow(
        `${name}: is not a name for a token: use letters, digits, . - _`,
      )
    expect(() => addToken(place, { name: 'b', access: 'write', owner: '' })).toThrow('b: ')
    expect(loadTokens(place)).toHaveLength(3)
  })

  it('are removed by name, the others stay', () => {
    const place = folder()
    for (const name of ['one', 'two', 'three']) addToken(place, { name, access: 'write' })
    removeToken(place, 'two')
    expect(loadTokens(place).map(({ name }) => name)).toEqual(['one', 'three'])
    expect(() => removeToken(place, 'something')).toThrow(/^there is no token something$/)
    expect(() => removeToken(place, 'onee')).toThrow(/^there is no token onee$/)
  })

  it.each([
    '[]',
    '{"tokens":[{"name":"a","token":"short","access":"read"}]}',
    '{"tokens":[{"name":"a","token":"01234567890123456789","access":"all"}]}',
    '{"tokens":[],"more":1}',
  ])('are refused if the file is not a list of tokens: %s', (text) => {
    const place = folder()
    writeFileSync(tokensFile(place), text)
    expect(() => loadTokens(place)).toThrow(
      `${tokensFile(place)} is damaged: delete it, and the next start makes a new token`,
    )
  })

  it('of earlier versions, with their secrets, are taken over and continue to work', () => {
    const place = folder()
    const secret = 'pith_of_an_earlier_version_0123456789'
    writeFileSync(tokensFile(place), JSON.stringify({ tokens: [{ name: 'local', token: secret, access: 'write' }] }))
    expect(findToken(loadTokens(place), secret)?.name).toBe('local')
    expect(readFileSync(tokensFile(place), 'utf8')).not.toContain(secret)
    expect(findToken(loadTokens(place), secret)?.name).toBe('local')
  })

  it('are found until they expire', () => {
    const expires = '2026-11-16T12:00:00.000Z'
    const { secret, ...token } = addToken(folder(), { name: 'guest', access: 'read', expires })
    expect(findToken([token], secret, Date.parse(expires) - 1)).toEqual(token)
    expect(findToken([token], secret, Date.parse(expires))).toBeUndefined()
  })

  it('are known and refused at once if another process changes the file', () => {
    const place = folder()
    const tokens = watchedTokens(place)
    expect(tokens()).toEqual([])
    const { secret } = addToken(place, { name: 'one', access: 'read' })
    expect(findToken(tokens(), secret)?.name).toBe('one')
    expect(tokens()).toBe(tokens())
    removeToken(place, 'one')
    expect(findToken(tokens(), secret)).toBeUndefined()
  })

  it('belong to their own name unless they name an owner', () => {
    const token = { name: 'ci', hash: '', access: 'read' } as const
    expect(ownerOf(token)).toBe('ci')
    expect(ownerOf({ ...token, owner: 'local' })).toBe('local')
  })

  it('are found by the whole secret', () => {
    const tokens = [
      { name: 'a', token: 'secret-of-a', access: 'read' },
      { name: 'b', token: 'secret-of-b', access: 'write' },
    ].map((token) => hashed({ ...token, access: 'read' }))
    expect(findToken(tokens, 'secret-of-a')?.name).toBe('a')
    expect(findToken(tokens, 'secret-of-b')?.name).toBe('b')
    expect(findToken(tokens, 'secret-of-')).toBeUndefined()
  })
})

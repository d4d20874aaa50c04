import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openAccess } from '../../../src/server/access/access-book.ts'
import { tokensFile } from '../../../src/server/access/old-files.ts'
import { tokenHash } from '../../../src/server/access/tokens.ts'
import { openStore } from '../../../src/store/open-store.ts'
import { fileToken } from '../support/file-token.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'pith-tokens-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

async function store() {
  const opened = await openStore(':memory:')
  onTestFinished(() => opened.close())
  return opened
}

describe('the files of earlier versions', () => {
  it('give their tokens to the database once, and the first one administers', async () => {
    const place = folder()
    const local = fileToken(place, { name: 'local', access: 'write' })
    const ann = fileToken(place, { name: 'ann', access: 'read', expires: '2999-01-01T00:00:00.000Z' })
    const shared = await store()
    const taken: number[] = []
    const access = await openAccess(shared, place, (count) => taken.push(count))
    expect(access.token(local.secret)).toMatchObject({ name: 'local', access: 'write', admin: true })
    expect(access.token(ann.secret)).toEqual({ name: 'ann', access: 'read', expires: ann.expires, hash: ann.hash })
    const before = readFileSync(tokensFile(place), 'utf8')
    await access.remove('ann')
    const again = await openAccess(shared, place, (count) => taken.push(count))
    expect(again.token(ann.secret)).toBeUndefined()
    expect(again.tokens.map(({ name }) => name)).toEqual(['local'])
    expect(taken).toEqual([2])
    // Processes of the earlier version may still read it.
    expect(readFileSync(tokensFile(place), 'utf8')).toBe(before)
  })

  it('of two machines may have tokens of one name: both work, and see the same sessions', async () => {
    const [one, two] = [folder(), folder()]
    const first = fileToken(one, { name: 'local', access: 'write' })
    const second = fileToken(two, { name: 'local', access: 'write' })
    const shared = await store()
    await openAccess(shared, one)
    await openAccess(shared, two)
    const access = await openAccess(shared, two)
    expect(access.token(first.secret)).toMatchObject({ name: 'local', admin: true })
    const other = { name: `local-${second.hash.slice(0, 8)}`, owner: 'local', access: 'write', hash: second.hash }
    expect(access.token(second.secret)).toEqual(other)
  })

  it('with secrets of the first versions are rewritten without them', async () => {
    const place = folder()
    const secret = 'pith_of_an_earlier_version_0123456789'
    writeFileSync(tokensFile(place), JSON.stringify({ tokens: [{ name: 'ci', token: secret, access: 'write' }] }))
    expect((await openAccess(await store(), place)).token(secret)?.name).toBe('ci')
    expect(readFileSync(tokensFile(place), 'utf8')).not.toContain(secret)
  })

  it('are closed to others again when a copy has lost its mode', async () => {
    const place = folder()
    fileToken(place, { name: 'local', access: 'write' })
    chmodSync(tokensFile(place), 0o644)
    await openAccess(await store(), place)
    expect(statSync(tokensFile(place)).mode & 0o777).toBe(0o600)
  })

  it.each([
    '{"tokens":',
    '[]',
    '{"tokens":[{"name":"a","token":"short","access":"read"}]}',
    '{"tokens":[{"name":"a","token":"01234567890123456789","access":"all"}]}',
    '{"tokens":[],"more":1}',
  ])('are refused in one line if they are not lists of tokens: %s', async (text) => {
    const place = folder()
    writeFileSync(tokensFile(place), text)
    await expect(openAccess(await store(), place)).rejects.toThrow(
      `${tokensFile(place)} is damaged: delete it, and make new tokens with pith serve token add`,
    )
  })

  it('give their links and logins to the database, without those that have ended', async () => {
    const place = folder()
    const { hash } = fileToken(place, { name: 'local', access: 'write' })
    const grants = join(place, 'server-grants')
    mkdirSync(grants)
    const write = (secret: string, grant: object) =>
      writeFileSync(join(grants, `${tokenHash(secret)}.json`), JSON.stringify(grant))
    const expires = '2999-01-01T00:00:00.000Z'
    write('shown', { kind: 'share', token: hash, session: 's', expires })
    write('in', { kind: 'login', token: hash, expires })
    write('late', { kind: 'login', token: hash, expires: '2020-01-01T00:00:00.000Z' })
    write('lost', { kind: 'login', token: 'f'.repeat(64), expires })
    writeFileSync(join(grants, 'notes.txt'), 'x')
    const access = await openAccess(await store(), place)
    expect(access.grant('share', 'shown')).toMatchObject({ session: 's', token: { name: 'local' } })
    expect(access.grant('login', 'in')?.token.hash).toBe(hash)
    for (const secret of ['late', 'lost']) expect(access.grant('login', secret)).toBeUndefined()
    expect(existsSync(join(grants, `${tokenHash('in')}.json`))).toBe(false)
    expect(existsSync(join(grants, 'notes.txt'))).toBe(true)
  })
})

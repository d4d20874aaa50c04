import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPostgres } from '../support/postgres.ts'
import { postgresPrograms } from '../support/postgres-programs.ts'
import { isOpenToAll } from '../support/run-folder.ts'

describe('a PostgreSQL that cannot start', () => {
  it.each([
    ['a program that is missing', '/no/such/postgres', /spawn \/no\/such\/postgres ENOENT/],
    ['a program that ends at once', process.execPath, /^PostgreSQL did not start: .*bad option: -D/s],
  ])('is an error at once, with its reason: %s', async (_, postgres, why) => {
    const programs = { ...(await postgresPrograms()), postgres }
    await expect(startPostgres({ programs })).rejects.toThrow(why)
  })
})

it('a path is open to all if each folder of it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-open-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  const inside = join(folder, 'inside')
  mkdirSync(inside)
  chmodSync(inside, 0o755)
  const isOpenHere = isOpenToAll(tmpdir())
  expect(isOpenToAll(inside)).toBe(isOpenHere)
  chmodSync(folder, 0o700)
  expect(isOpenToAll(inside)).toBe(false)
  expect(isOpenToAll(join(folder, 'missing'))).toBe(false)
})

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPostgres } from '../support/postgres.ts'
import { postgresPrograms } from '../support/postgres-programs.ts'
import { isOpenToAll } from '../support/run-folder.ts'

describe('a PostgreSQL that cannot start', () => {
  it('is an error at once, if its program is missing', async () => {
    const programs = { ...(await postgresPrograms()), postgres: '/no/such/postgres' }
    await expect(startPostgres({ programs })).rejects.toThrow('spawn /no/such/postgres ENOENT')
  })

  it('is an error at once, with what it printed, if its program ends', async () => {
    const programs = await postgresPrograms()
    const ending = { ...programs, postgres: programs.initdb }
    await expect(startPostgres({ programs: ending })).rejects.toThrow(/^PostgreSQL did not start: initdb: error: /)
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

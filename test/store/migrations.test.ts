import { describe, expect, it } from 'vitest'
import { migrationsOf, pendingMigrations } from '../../src/store/migrations.ts'

describe.each(['sqlite', 'postgres'] as const)('the steps of the schema of %s', (dialect) => {
  const migrations = migrationsOf(dialect)

  it('are numbered from one without a gap, and each has something to run', () => {
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, i) => i + 1))
    for (const { sql } of migrations) expect(sql).toMatch(/\b(?:CREATE|ALTER|INSERT|UPDATE|DELETE|DROP)\b/i)
  })

  it('are all those that come after the version of a database', () => {
    const newest = migrations.length
    expect(pendingMigrations(migrations, 0, 'a.db')).toEqual(migrations)
    expect(pendingMigrations(migrations, newest - 1, 'a.db')).toEqual(migrations.slice(-1))
    expect(pendingMigrations(migrations, newest, 'a.db')).toEqual([])
  })
})

it('a database of a newer version is refused with what to do', () => {
  expect(() => pendingMigrations(migrationsOf('sqlite'), 99, 'a.db')).toThrow(
    /^a\.db was written by a newer version of Pith \(schema 99, this one knows \d+\): update Pith to open it$/,
  )
  expect(() => pendingMigrations([], 1, 'a.db')).toThrow('this one knows 0')
})

import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { transaction } from '../../../src/store/postgres/connection.ts'

/** A pool of one client that writes down what it is asked, and whether it came back broken. */
function pool(failing?: string) {
  const asked: string[] = []
  const client = {
    query: async (sql: string) => {
      asked.push(sql.split(' ')[0] ?? '')
      if (sql === failing) throw new Error('the connection is gone')
    },
    release: (broken: boolean) => asked.push(broken ? 'broken' : 'released'),
  }
  return { asked, pool: { connect: async () => client } as unknown as pg.Pool }
}

const ended = (code: string) => Object.assign(new pg.DatabaseError('ended', 0, 'error'), { code })

describe('a transaction', () => {
  it.each(['40P01', '40001'])('that the server ended (%s) runs again, five times at most', async (code) => {
    const { asked, pool: one } = pool()
    let runs = 0
    const work = (until: number) => async () => {
      if (++runs < until) throw ended(code)
      return runs
    }
    expect(await transaction(one, work(3))).toBe(3)
    expect(asked.slice(-6)).toEqual(['BEGIN', 'ROLLBACK', 'released', 'BEGIN', 'COMMIT', 'released'])
    runs = 0
    await expect(transaction(one, work(9))).rejects.toMatchObject({ code })
    expect(runs).toBe(5)
  })

  it('that failed by itself does not', async () => {
    for (const error of [ended('23505'), Object.assign(new Error('not of the server'), { code: '40P01' })]) {
      const { asked, pool: one } = pool()
      await expect(transaction(one, () => Promise.reject(error))).rejects.toBe(error)
      expect(asked).toEqual(['BEGIN', 'ROLLBACK', 'released'])
    }
  })

  it('that cannot be rolled back gives its connection back as broken', async () => {
    const { asked, pool: one } = pool('ROLLBACK')
    await expect(transaction(one, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(asked).toEqual(['BEGIN', 'ROLLBACK', 'broken'])
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Database } from '../../../src/store/sqlite/database.ts'
import { RowFeed, type RowSource } from '../../../src/store/sqlite/row-feed.ts'

const SOURCE: RowSource<string> = {
  newest: 'SELECT max(row) AS row FROM words',
  after: 'SELECT row, word FROM words WHERE row > ? ORDER BY row',
  valueOf: ({ word }) => String(word),
}

/** A table of words, its feed, and how this and another process add one. */
function world() {
  const folder = mkdtempSync(join(tmpdir(), 'pith-feed-'))
  const own = new Database(join(folder, 'words.db'))
  own.exec('PRAGMA journal_mode = WAL; CREATE TABLE words (row INTEGER PRIMARY KEY, word TEXT)')
  const other = new Database(join(folder, 'words.db'))
  const feed = new RowFeed(own, SOURCE)
  onTestFinished(() => {
    feed.close()
    for (const database of [own, other]) if (database.isOpen) database.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const add = (database: Database, word: string) => database.prepare('INSERT INTO words (word) VALUES (?)').run(word)
  return { feed, own, other, add }
}

/** Waits until all rows so far have been delivered. */
const delivered = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

describe('a feed of rows', () => {
  it('gives each listener the rows that come after it, in their order, each once', async () => {
    const { feed, own, add } = world()
    add(own, 'before')
    const first: string[] = []
    const second: string[] = []
    feed.subscribe((word) => first.push(word))
    add(own, 'one')
    add(own, 'two')
    feed.poll()
    expect(first).toEqual([])
    await delivered()
    feed.subscribe((word) => second.push(word))
    add(own, 'three')
    feed.poll()
    feed.poll()
    await delivered()
    expect(first).toEqual(['one', 'two', 'three'])
    expect(second).toEqual(['three'])
  })

  it('gives nothing to one that has stopped, not even rows that were already on their way', async () => {
    const { feed, own, add } = world()
    const words: string[] = []
    const stop = feed.subscribe((word) => words.push(word))
    add(own, 'one')
    feed.poll()
    stop()
    await delivered()
    expect(words).toEqual([])
  })

  it('begins again for a listener that comes when there was none', async () => {
    const { feed, own, add } = world()
    feed.subscribe(() => {})()
    add(own, 'unheard')
    feed.poll()
    const words: string[] = []
    feed.subscribe((word) => words.push(word))
    add(own, 'heard')
    feed.poll()
    await delivered()
    expect(words).toEqual(['heard'])
  })

  it('continues when a listener throws', async () => {
    const { feed, own, add } = world()
    const words: string[] = []
    feed.subscribe(() => {
      throw new Error('no')
    })
    feed.subscribe((word) => words.push(word))
    add(own, 'one')
    feed.poll()
    await delivered()
    expect(words).toEqual(['one'])
  })

  it('finds the rows of another process while it has a listener, and stops looking when it has none', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { feed, other, add } = world()
    expect(vi.getTimerCount()).toBe(0)
    const words: string[] = []
    const stops = [feed.subscribe((word) => words.push(word)), feed.subscribe(() => {})]
    expect(vi.getTimerCount()).toBe(1)
    for (const word of ['one', 'two']) {
      add(other, word)
      vi.advanceTimersByTime(100)
      await delivered()
    }
    expect(words).toEqual(['one', 'two'])
    stops[0]?.()
    expect(vi.getTimerCount()).toBe(1)
    stops[1]?.()
    expect(vi.getTimerCount()).toBe(0)
    feed.subscribe(() => {})
    feed.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is quiet when its database is closed or broken', async () => {
    const { feed, own } = world()
    const words: string[] = []
    feed.subscribe((word) => words.push(word))
    own.exec('DROP TABLE words')
    expect(() => feed.poll()).not.toThrow()
    own.close()
    expect(() => feed.poll()).not.toThrow()
    await delivered()
    expect(words).toEqual([])
  })
})

import { createContext, runInContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { bundleEngine } from './bundle-engine.ts'

/** The globals of every browser and every edge runtime: no `process`, no `Buffer`, no `require`. */
const WEB = { URL, AbortController, AbortSignal, btoa, structuredClone, performance, setTimeout }

const PROGRAM = `
  const messages = Array.from({ length: 60 }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: 'message ' + i + ' ' + 'some words about the work '.repeat(40),
  }))
  Pith.fit(messages, { window: 8000 })`

describe('the engine in a browser', () => {
  it('is one file without Node, and fits a conversation', async () => {
    const code = await bundleEngine(false)
    expect(code).not.toMatch(/\bnode:|__vite-browser-external|\brequire\(/)
    const context = createContext({ ...WEB })
    runInContext(code, context)
    const fitted = await (runInContext(PROGRAM, context) as Promise<{ fits: boolean; tokensAfter: number }>)
    expect(fitted.fits).toBe(true)
    expect(fitted.tokensAfter).toBeLessThan(8_000)
    expect(runInContext('typeof process + typeof Buffer + typeof require', context)).toBe('undefined'.repeat(3))
  })
})

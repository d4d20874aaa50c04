import { createContext, runInContext } from 'node:vm'

/** The globals of every browser and every edge runtime that Pith uses: no `process`, no `Buffer`, no `require`. */
const WEB = {
  URL,
  AbortController,
  AbortSignal,
  TextEncoder,
  TextDecoder,
  atob,
  btoa,
  crypto,
  performance,
  setTimeout,
  structuredClone,
}

/** Runs a script as a page of a browser would, without Node; the value of an expression after it. */
export function inBrowser(script: string, expression: string): unknown {
  const context = createContext({ ...WEB })
  if (runInContext('typeof process + typeof Buffer + typeof require', context) !== 'undefined'.repeat(3))
    throw new Error('a part of Node is here')
  runInContext(script, context)
  return runInContext(expression, context)
}

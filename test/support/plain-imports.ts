import { registerHooks } from 'node:module'

/** A file of this project that another one of it imports: the address says all, and no search is needed. */
const OWN = /^\.\.?\/.*\.ts$/

// Vitest reports every import to its main process, which takes longer than the rest of the import. Only its watch mode needs that.
if (process.env.VITEST_MODE !== 'WATCH')
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('node:')) return { url: specifier, format: 'builtin', shortCircuit: true }
      const { parentURL } = context
      if (parentURL === undefined || parentURL.includes('/node_modules/') || !OWN.test(specifier))
        return next(specifier, context)
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true }
    },
  })

import fc from 'fast-check'
import { full } from './full.ts'
import './plain-imports.ts'
import { leaveProcessAsItWas } from './shared-process.ts'

// `npm test` tries the same cases in every run, so that it fails for a change and not by chance. The long form looks for
// new ones each time.
if (!full) fc.configureGlobal({ seed: 20_261_116 })

leaveProcessAsItWas()

import { judge } from '../judge/judge.ts'
import { claims } from './claims/claims.ts'
import { drift } from './drift.ts'
import { found } from './found.ts'
import { instructions } from './instructions.ts'
import { recall } from './recall.ts'
import { recorded } from './recorded.ts'
import { restorable } from './restorable.ts'

/** The benchmarks of what a context keeps, without a judge and with one. */
export const RETENTION = [recall, found, recorded, restorable, drift, claims, instructions, judge]

import { judge } from '../judge/judge.ts'
import { drift } from './drift.ts'
import { recall } from './recall.ts'
import { recorded } from './recorded.ts'
import { restorable } from './restorable.ts'
import { told } from './told.ts'

/** What is remembered, without a judge and with one. */
export const RETENTION = [recall, told, recorded, restorable, drift, judge]

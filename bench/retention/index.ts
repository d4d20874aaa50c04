import { judge } from '../judge/judge.ts'
import { drift } from './drift.ts'
import { recall } from './recall.ts'

/** What is remembered, without a judge and with one. */
export const RETENTION = [recall, drift, judge]

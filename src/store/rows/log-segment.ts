import type { Seq } from '../../model/types.ts'
import type { SessionId } from '../store.ts'

/** The part of a log that is stored with one session; bounds are inclusive. The log of a fork has several. */
export type LogSegment = { readonly id: SessionId; readonly from: Seq; readonly upTo: Seq }

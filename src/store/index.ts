export { dataFolder } from '../config/places/folders.ts'
export { openStore } from './open-store.ts'
export type {
  AppendOptions,
  AppendResult,
  AppendSizes,
  BadRow,
  DeleteResult,
  EntryPage,
  EntryQuery,
  Hit,
  Lease,
  LogChange,
  SearchQuery,
  Session,
  SessionDraft,
  SessionId,
  SessionPage,
  SessionQuery,
  Signal,
  SizesBefore,
  Store,
  StoreDeps,
} from './store.ts'

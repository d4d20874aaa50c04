export { compactionTelemetry, type TelemetryOptions } from './compaction-telemetry.ts'

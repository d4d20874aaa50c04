export { compactionTelemetry, type TelemetryOptions } from './compaction-telemetry.ts'
export { type RequestAttributes, type RequestAttributesOptions, requestAttributes } from './request-attributes.ts'

/** The CEL types of the fields that conditions can name. */

/** `dyn` is whatever somebody sent. */
export type FieldType = 'string' | 'double' | 'bool' | 'list<string>' | 'google.protobuf.Timestamp' | 'dyn'
export type Fields = Readonly<Record<string, FieldType>>

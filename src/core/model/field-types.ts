/** CEL types of the fields that conditions can use. */

/** `dyn`: whatever the caller sent, since nothing checked it. */
export type FieldType = 'string' | 'double' | 'bool' | 'list<string>' | 'google.protobuf.Timestamp' | 'dyn'
export type Fields = Readonly<Record<string, FieldType>>

/** Largest value of a Java int: the JVM reads each number of its configuration as one, and Node's timers end there too. */
export const MAX_INT = 2 ** 31 - 1;

interface SettingBase {
  readonly doc: string;
  /** Where the property comes from: the class of the JVM, or this package. */
  readonly source:
    | 'kafka.consumer.ConsumerConfig'
    | 'kafka.utils.ZKConfig'
    | 'kafka.server.KafkaConfig'
    | 'org.apache.kafka.clients.CommonClientConfigs'
    | 'org.apache.kafka.clients.consumer.ConsumerConfig'
    | 'org.apache.kafka.common.config.SaslConfigs'
    | 'org.apache.kafka.common.config.SslConfigs'
    | 'this package';
}

/** The value of another property if none is given, but not less than `atLeast`. */
export interface DefaultFrom {
  readonly from: string;
  readonly atLeast?: number;
}

/** A text of its own as default, apart from the words that mean a kind of default. */
export interface DefaultText {
  readonly text: string;
}

export interface IntSetting extends SettingBase {
  readonly type: 'int';
  readonly unit?: 'ms' | 'bytes';
  readonly min: number;
  readonly default: number | DefaultFrom;
  /** Another property that this one must not be less than. */
  readonly notBelow?: string;
}

/** True if another property has this value. */
export interface DefaultTrueIf {
  readonly trueIf: string;
  readonly is: string;
}

export interface BooleanSetting extends SettingBase {
  readonly type: 'boolean';
  readonly default: boolean | DefaultTrueIf;
}

export interface StringSetting extends SettingBase {
  readonly type: 'string';
  /** `required`: there is no default; `generated`: made anew for each connector; `none`: may have no value. */
  readonly default: 'required' | 'generated' | 'none' | DefaultFrom | DefaultText;
  /** What is right, for messages and documentation. */
  readonly expected: string;
  /** Says what is wrong with the text; undefined if nothing is. */
  readonly fault: (text: string) => string | undefined;
  /** A value that no message may show, nor any part of it, and that `fault` must not quote. */
  readonly secret?: true;
  /** Who mistakes it for a URL writes `user:password@` into it: with an "@" the same holds as for a secret. */
  readonly secretWithAt?: true;
}

export interface ChoiceSetting extends SettingBase {
  readonly type: 'choice';
  readonly choices: readonly string[];
  /** One of the choices, or `none`: may have no value. */
  readonly default: string;
  readonly ignoreCase?: true;
  /** Wrong values that deserve an answer of their own, in upper or lower case. */
  readonly answers?: Readonly<Record<string, string>>;
}

export type Setting = IntSetting | BooleanSetting | StringSetting | ChoiceSetting;

/** Settings by the names of their properties. */
export type Settings = Readonly<Record<string, Setting>>;

/** What a checked value is. */
export type ValueOf<S extends Setting> = S extends { default: 'generated' | 'none' }
  ? GivenValueOf<S> | undefined
  : GivenValueOf<S>;

type GivenValueOf<S extends Setting> = S extends { type: 'int' }
  ? number
  : S extends { type: 'boolean' }
    ? boolean
    : S extends { choices: readonly (infer C)[] }
      ? C
      : string;

// Archives that the tests of the package and of the page make.

function crc32(data) {
  let crc = -1;
  for (const byte of data) {
    crc ^= byte;
    for (let i = 0; i < 8; i++) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
  }
  return ~crc >>> 0;
}

/** A zip of stored members. */
function zipOf(members) {
  const parts = [], directory = [];
  let place = 0;
  for (const [name, said] of Object.entries(members)) {
    const data = Buffer.from(said), path = Buffer.from(name), common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(33, 8); // a date that there is
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(path.length, 22);
    parts.push(Buffer.from("PK\x03\x04"), common, path, data);
    const behind = Buffer.alloc(14);
    behind.writeUInt32LE(place, 10);
    directory.push(Buffer.from("PK\x01\x02\x14\0"), common, behind, path);
    place += 30 + path.length + data.length;
  }
  const listed = Buffer.concat(directory), end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length / 4, 4);
  end.writeUInt16LE(parts.length / 4, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(place, 12);
  return Buffer.concat([...parts, listed, Buffer.from("PK\x05\x06"), end]);
}

/** A package of one compiled model, and no program. */
export const compiledModel = zipOf({ version: "0", archive_format: "pt2", "data/aotinductor/m/x.so": "",
  "data/aotinductor/m/x_metadata.json": '{"AOTI_DEVICE_KEY": "cpu", "AOTI_CPU_ISA": "AVX2", "own": "mine"}' });

/** An archive of two models, "one" and "two", of a program without weights. */
export function twoPrograms(program) {
  const members = { "a/archive_format": "pt2", "a/archive_version": "0", "a/.data/version": "3", "a/byteorder": "little" };
  for (const name of ["one", "two"]) {
    Object.assign(members, { [`a/models/${name}.json`]: program, [`a/data/sample_inputs/${name}.pt`]: "",
      [`a/data/weights/${name}_weights_config.json`]: '{"config": {}}',
      [`a/data/constants/${name}_constants_config.json`]: '{"config": {}}' });
  }
  return zipOf(members);
}

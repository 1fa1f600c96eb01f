import OTP

/// Keys around the block sizes; the message is the key's length as an eight-byte counter.
package let keySizeVectors: [HMACVector] = [
  HMACVector(
    "hmac-key-sizes/0", .sha1,
    key: "8f",
    message: "0000000000000001",
    mac: "d78053afdaee5644e98c9152a42621b254a594e0"),
  HMACVector(
    "hmac-key-sizes/1", .sha1,
    key: "5e8a91850ee40b6585d58684602521ae2a468668",
    message: "0000000000000014",
    mac: "44fff0b4cdf7ed47aa4bfbfc068afbe4d0d407fe"),
  HMACVector(
    "hmac-key-sizes/2", .sha1,
    key:
      "376954f4981291a5508c235cccc0ec7085e7d52f4c4963e7132b5d843d909279127e617223ad"
      + "3f9e80efbe11559588fefa7c2f6caabdc1bede0f0667d9c178",
    message: "000000000000003f",
    mac: "bd593836ab3e2bb894d3f69fcbd0c07ec632b9cc"),
  HMACVector(
    "hmac-key-sizes/3", .sha1,
    key:
      "887d31169dd4c9644e4f67d6bc3914b80d69d3bd2ef7104b96435fa0a49755373ebe749c1f29"
      + "10333d6b86fc37d47ce513b3fcdd107a5b96a1aed2a82184ebe4",
    message: "0000000000000040",
    mac: "61aa2d8836344176431079fe4096b6dfa4715354"),
  HMACVector(
    "hmac-key-sizes/4", .sha1,
    key:
      "d2615773b18a7f2ec09754765302e69327abd74984b3d37985707b92f2fbc59d9dea3673bc77"
      + "612b8d3fba31685a0c24d38b22385693d63f18f3fbd0db04cfdc2e",
    message: "0000000000000041",
    mac: "44177ab7611e0e7133193b0cc0c3754ad65997b5"),
  HMACVector(
    "hmac-key-sizes/5", .sha1,
    key:
      "3c689d46e19c64ef85187d4e0ea5088c8d64475901e9b83abab2053ab2b34e4fc68ff74007ae"
      + "c4c1132c08b9cf351402aea14355049acceab033abd67d11220fd4e062e39445b5c722200d01"
      + "33352c9eb850b86b6dba350ee77478194cf3771eceb36191cfcce2ab924db28091499f686838"
      + "05ec0fc2b49f20e18ab317f1b811",
    message: "0000000000000080",
    mac: "e07587d1f1f3ff2555f3b9cbd70d4e26731464db"),
  HMACVector(
    "hmac-key-sizes/6", .sha1,
    key:
      "dafd61df767eb1dba74e5010fa842972a4bfbaa48be7e5f7f8eabca8f208ce5ae8499f03fd36"
      + "9eb86c9443a39d7aeedab69cba2591e4cd9e1e0596d9c006496ca5d2f20d479aaa4d8df739a7"
      + "c5f2bcf1bb2260b44410f391dbf8ce4d8d8324682c4548c6f908689007b244f49ea5d502ca04"
      + "c7d19311bc1e0e98522102d40300692ef8",
    message: "0000000000000083",
    mac: "2677c03f267f84917fdf3e275bb5fe4f1f104d1f"),
  HMACVector(
    "hmac-key-sizes/7", .sha256,
    key: "cd",
    message: "0000000000000001",
    mac: "a44e687482ed8cc3d99768e86555399b956b7f1b5ed04844cd0cad3b006b6137"),
  HMACVector(
    "hmac-key-sizes/8", .sha256,
    key: "45301788d286c9b593fb850fb4edef7f8bd8c61485dda9ddc6da66558f829ad7",
    message: "0000000000000020",
    mac: "b36b10dffbd2a74dc192110992c2e6fd3e8781885a97019ccd5242d503c13151"),
  HMACVector(
    "hmac-key-sizes/9", .sha256,
    key:
      "eb63dca1748a719ffdd10ae3264421dffd941ff6bc6a45c91ca4dc45c891f548a2a00914465b"
      + "38d595a7e604a9053f97fc93c63bb90ad3a6dbb83215efee87",
    message: "000000000000003f",
    mac: "122b342c7465d9a6a759d3443e3c2568049d7e5c81d33c7f38ab39027354b204"),
  HMACVector(
    "hmac-key-sizes/10", .sha256,
    key:
      "0daa393460818e406512dc6adfae223067f38bf28c9d8e86a98ee74de1ad365616da4167a7fb"
      + "6d49132aa452c9689e3335225a41f2d80d5092d44f513ac271d6",
    message: "0000000000000040",
    mac: "ec9b1b2cab744aa751fc5fad04a05f9b9c6068de91f3fd56a8ba6d559b154348"),
  HMACVector(
    "hmac-key-sizes/11", .sha256,
    key:
      "15af5ed30c1e6dd48af01143308028a4cd6b883691cb03050db24197ff573367335da5a7e7a9"
      + "0752de002f1d3bc07db63e8ee406c755193c7b9ad4148bb08d3e07",
    message: "0000000000000041",
    mac: "ba438751fe8c172c36ec401dab893318b28f690bc790576207c355d219addd96"),
  HMACVector(
    "hmac-key-sizes/12", .sha256,
    key:
      "1b4c36a6fdb1195e88638cdd33dd2ff99361747c316e721763128a64088222332a26426b0992"
      + "c201e966b1655ee21429124cadec4cabaf82e7577b210e2f935179a6d49ad7e4cd2d29483d1d"
      + "8815a17673ca9cc29dc2d9333d9eed9076832a7753be91f8ff2cd7eb8f524a949f7acf7b9e08"
      + "54be07a12b0d842c8e04642a428e",
    message: "0000000000000080",
    mac: "4ba88e23b949005a6d4bfb2e5cb09c48361512269aa7b621be870d16d36797d3"),
  HMACVector(
    "hmac-key-sizes/13", .sha256,
    key:
      "2e7c1dafc832c19a20b8a962b5dcd156c7868744ca5771ee7efc61df4a9f7f94602cf2cdeeb4"
      + "fa94f6fc6fb1bbab14f1dc9fbb130b673d3c7d047bdd317da7a93e0b56756ce49773f6a68dbd"
      + "875d38f5acbf6d059c0bc492d7615bfef80792f4b95c06d66d762e8a7b10b920ee867fba7b34"
      + "b2585783b88fb0781a04fe42ceaa27b2c9",
    message: "0000000000000083",
    mac: "a5f1eab87c7d11c5213d97c2a45f817af860b3f6b9e047c0ea1586d4e9e998e6"),
  HMACVector(
    "hmac-key-sizes/14", .sha512,
    key: "35",
    message: "0000000000000001",
    mac:
      "c1cf8d7ef20f6920819fb31fa2fe735838f80ec480b0be571e5ac9d937a1445e60d761f50639"
      + "a1eb21e45112328a3a1f0868366ae929a3727cd39d018c8cf703"),
  HMACVector(
    "hmac-key-sizes/15", .sha512,
    key:
      "ddd2e01835698d9d7cbe4a2b8522c7e5cf70c8a58faedf29af742f9d1d3168042b5979aa4498"
      + "c8f233891da3d363b40ea0d35dc0da176d006bf26705a6d029e0",
    message: "0000000000000040",
    mac:
      "da22811204808497b2fc4c1f26f260f3e5798498343d8644de6ae40f1a890722b43982fe53e6"
      + "bf07245475ea4130fdbd1cd82053e0486837bb58e7967f1d6cfd"),
  HMACVector(
    "hmac-key-sizes/16", .sha512,
    key:
      "cbb900dcbc59af47274458b8fc54d2fe1ebe977dcf4f86e229e354ca7c75ed51718b6f483ded"
      + "6b58f11018d5e1ee954069d2d59248e7be99dd5dd7a297d664612ea9b200a8bea8bdc4abac34"
      + "b9ece567c18a978833b578f0ad86c3a6ba0bad9d95c5c04417a5c6c2aeee22c0567de66811e7"
      + "827a7d1f3eebab32af24b90109",
    message: "000000000000007f",
    mac:
      "991df6cbbd2f1718121d8b967b42026dc0a16cf80b7e9417aec7849a77f92b39c398c48915ed"
      + "bef4dca123acc225da023cad9fb477c194cbdda229be74992d6a"),
  HMACVector(
    "hmac-key-sizes/17", .sha512,
    key:
      "f84a0ea8b447918d2111123211a138d48738063d78dc6faaf955929fe4b658d77dc3ed52551b"
      + "a69090fe903e604b954cf7c847b6d6af6b074fe5409e6ce85c8b58a6f5ae71564be82051a862"
      + "2db53beb2f656e1e3d91052a49a50fa8d1285ac72ed6c12296749eab2c3e4ad870954825aa4a"
      + "e3b0aa1d813daff7930febd8d67a",
    message: "0000000000000080",
    mac:
      "ce4e41fa50d6fa36a45540862d585ce6c57c77ee6592fceebb57e96596eebbb6f4f343863d68"
      + "26cab0b3e6cde2e6f6f9ea437bd52a236e6b23efcdea30137984"),
  HMACVector(
    "hmac-key-sizes/18", .sha512,
    key:
      "42346f092409e068250c1482525f8747a66515721b861f7853cda2bb90cdc20c7345a92c8a21"
      + "d4c3bb49fd1f1eaf592d35702699c6f4ec75f542cf86cfed02a96700951f6c6f5b99c9857280"
      + "db0fd7f95476ac07ab22098c692459d6ac6452b965a4eeaeb4cc5879df556cc4bc6ee1411fbe"
      + "b6c852010bb50d7b3fd3d50641fe9b",
    message: "0000000000000081",
    mac:
      "7b29991d1b786dc10cf07bd712e0350b0a58e2ce52bf370a4b8b5d621ad8ffddc6606946d08c"
      + "4996d392385dd52e35d5a8c875bc8be42294c1941dc912e065e0"),
  HMACVector(
    "hmac-key-sizes/19", .sha512,
    key:
      "0184aeae21921312ea647ee38dd5687e4830d63a20b5386a02aa752b75897b068992db1a8d60"
      + "e55bac19de4bb60806befdfac1b0b99c88dbc8989f624027ae238369c90827dca81bd70817c6"
      + "d53de65bc6de8c7eacd73b9c3aa9ef31db47896e2c51db7b664934933bb2499713c6e4f637d4"
      + "2e35bff7ffa76f1bed9fed04588a23d701",
    message: "0000000000000083",
    mac:
      "8f853927b77b14ac693dee20829723d881e6d05d55c37d2fb5559a3973359f9ee0c636e9e068"
      + "14607a1c61191f0cf86b096dfe49a83619f5b29a4a875ca55736"),
  HMACVector(
    "hmac-key-sizes/20", .sha512,
    key:
      "f318cf0989bb670a7a681e3f766a826b270e97c2535d71686febef5b3a28fd5fb97668c8e100"
      + "4a65c0270c14b1d66e59cfc88c2b8616514853f7a67a0c3c11e5ae2db9cf9876023ceeffa5fa"
      + "72621c3ff083403f7a637a8ac8c6657b048ba17f9cf9c2c0cdf0ab5409d8478f4e4dfd5eaff7"
      + "9fb8dc057ba1415c23410a4505bf900452ea0f2bee854f3af38fdedef6e806884fa296efb0e9"
      + "197a8216c0323396e7129388acbbb1cf6e3aba7e83f10d46321e85f7423ae5242bdadf8bc2e1"
      + "90338385786a7a33e26bebe68dca9435a88611c819086de1c6ea7d8c40a81da452b4f4233bb9"
      + "f85a2da2687c9a300bbe8ea66af9f623f31eef321e7a81b392e87f5e",
    message: "0000000000000100",
    mac:
      "2fe9458db03f568c0473f9b65a1116936cee2b396a8b6c19346c1ddeb8559691321bb640a779"
      + "1f4af98a075f6c817aa0db91358a2c38a3d62abaa781f2ed9343"),
]

/// The six-digit codes of ``keySizeVectors``.
package let keySizeCodes = [
  "027823", "593236", "971966", "394294", "262963", "384846", "435853", "333544",
  "268027", "831910", "494061", "773612", "345408", "131773", "792873", "956517",
  "411330", "266038", "323741", "843453", "654358",
]

/// Offsets 0 and 15, a set top bit, leading zeros, and what a truncation from byte 19 would give.
package let truncationVectors: [HOTPVector] = {
  let sha1Key = bytes(
    "d4feb54f4a02b4af86c8771970458e03022ed11a")
  let sha256Key = bytes(
    "16ce83f1ac1e7e0c5b670fcf2fa92cd164f706e29ab476be3b0e7f463c5db3c1")
  let sha512Key = bytes(
    "d6fa32aa912f0c3bb84b268ab86feee6696cb71b1e4cef93eaacd992945122708659f2fa94ea"
      + "46c4d3b1ffd6ee04a8b0fd610eb23d45eaa1f90094251d24a77e")
  return [
    HOTPVector(
      "hmac-truncation/0", .sha1, key: sha1Key, 0, "738116",
      truncatedValue: 1747738116, wrongCodes: ["221764"]),
    HOTPVector(
      "hmac-truncation/0", .sha1, key: sha1Key, 0, "47738116",
      truncatedValue: 1747738116),
    HOTPVector(
      "hmac-truncation/1", .sha1, key: sha1Key, 14, "283099",
      truncatedValue: 14283099),
    HOTPVector(
      "hmac-truncation/1", .sha1, key: sha1Key, 14, "14283099",
      truncatedValue: 14283099),
    HOTPVector(
      "hmac-truncation/2", .sha1, key: sha1Key, 16, "417813",
      truncatedValue: 1672417813, wrongCodes: ["901461"]),
    HOTPVector(
      "hmac-truncation/2", .sha1, key: sha1Key, 16, "72417813",
      truncatedValue: 1672417813),
    HOTPVector(
      "hmac-truncation/3", .sha1, key: sha1Key, 28, "867154",
      truncatedValue: 1731867154, wrongCodes: ["350802"]),
    HOTPVector(
      "hmac-truncation/3", .sha1, key: sha1Key, 28, "31867154",
      truncatedValue: 1731867154),
    HOTPVector(
      "hmac-truncation/4", .sha1, key: sha1Key, 43, "001448",
      truncatedValue: 1332001448, wrongCodes: ["485096"]),
    HOTPVector(
      "hmac-truncation/4", .sha1, key: sha1Key, 43, "32001448",
      truncatedValue: 1332001448),
    HOTPVector(
      "hmac-truncation/5", .sha256, key: sha256Key, 0, "364401",
      truncatedValue: 104364401, wrongCodes: ["089064", "848049"]),
    HOTPVector(
      "hmac-truncation/5", .sha256, key: sha256Key, 0, "04364401",
      truncatedValue: 104364401),
    HOTPVector(
      "hmac-truncation/6", .sha256, key: sha256Key, 2, "004235",
      truncatedValue: 1697004235, wrongCodes: ["380454"]),
    HOTPVector(
      "hmac-truncation/6", .sha256, key: sha256Key, 2, "97004235",
      truncatedValue: 1697004235),
    HOTPVector(
      "hmac-truncation/7", .sha256, key: sha256Key, 13, "575091",
      truncatedValue: 583575091, wrongCodes: ["643528", "058739"]),
    HOTPVector(
      "hmac-truncation/7", .sha256, key: sha256Key, 13, "83575091",
      truncatedValue: 583575091),
    HOTPVector(
      "hmac-truncation/8", .sha256, key: sha256Key, 51, "872962",
      truncatedValue: 42872962, wrongCodes: ["426392", "356610"]),
    HOTPVector(
      "hmac-truncation/8", .sha256, key: sha256Key, 51, "42872962",
      truncatedValue: 42872962),
    HOTPVector(
      "hmac-truncation/9", .sha512, key: sha512Key, 0, "872377",
      truncatedValue: 977872377, wrongCodes: ["534799", "356025"]),
    HOTPVector(
      "hmac-truncation/9", .sha512, key: sha512Key, 0, "77872377",
      truncatedValue: 977872377),
    HOTPVector(
      "hmac-truncation/10", .sha512, key: sha512Key, 1, "507869",
      truncatedValue: 1849507869, wrongCodes: ["671933"]),
    HOTPVector(
      "hmac-truncation/10", .sha512, key: sha512Key, 1, "49507869",
      truncatedValue: 1849507869),
    HOTPVector(
      "hmac-truncation/11", .sha512, key: sha512Key, 2, "155470",
      truncatedValue: 2104155470, wrongCodes: ["279249", "639118"]),
    HOTPVector(
      "hmac-truncation/11", .sha512, key: sha512Key, 2, "04155470",
      truncatedValue: 2104155470),
    HOTPVector(
      "hmac-truncation/12", .sha512, key: sha512Key, 14, "537636",
      truncatedValue: 1537636, wrongCodes: ["783905"]),
    HOTPVector(
      "hmac-truncation/12", .sha512, key: sha512Key, 14, "01537636",
      truncatedValue: 1537636),
    HOTPVector(
      "hmac-truncation/13", .sha512, key: sha512Key, 177, "005451",
      truncatedValue: 1138005451, wrongCodes: ["513812", "489099"]),
    HOTPVector(
      "hmac-truncation/13", .sha512, key: sha512Key, 177, "38005451",
      truncatedValue: 1138005451),
    HOTPVector(
      "hmac-truncation/14", .sha512, key: sha512Key, 2373, "000006",
      truncatedValue: 244000006, wrongCodes: ["434030", "483654"]),
    HOTPVector(
      "hmac-truncation/14", .sha512, key: sha512Key, 2373, "44000006",
      truncatedValue: 244000006),
    HOTPVector("digits-7-to-10/0", .sha1, key: sha1Key, 0, "7738116"),
    HOTPVector("digits-7-to-10/1", .sha1, key: sha1Key, 14, "4283099"),
    HOTPVector("digits-7-to-10/2", .sha1, key: sha1Key, 0, "47738116"),
    HOTPVector("digits-7-to-10/3", .sha1, key: sha1Key, 14, "14283099"),
  ]
}()

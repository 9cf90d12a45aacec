//! Datagrams of flows, as a router sends them. A datagram has a header of four bytes and then records of 48 bytes. All numbers
//! are big-endian.

/// One flow of a datagram.
#[derive(Clone, Copy, Debug)]
pub struct Flow<'d>(&'d [u8; SIZE]);

const HEADER: usize = 4;
const SIZE: usize = 48;

impl<'d> Flow<'d> {
    /// Returns the flows of a datagram. It ignores an incomplete flow at the end.
    pub fn all(datagram: &'d [u8]) -> impl Iterator<Item = Flow<'d>> {
        let (records, _) = datagram.get(HEADER..).unwrap_or_default().as_chunks();
        records.iter().map(Flow)
    }

    fn bytes<const N: usize>(&self, at: usize) -> &'d [u8; N] {
        self.0[at..].first_chunk().expect("within the record")
    }

    /// Returns the address and the port of the source, and then of the destination.
    pub fn endpoints(&self) -> [(&'d [u8], u16); 2] {
        [0, 6].map(|at| (&self.bytes::<4>(at)[..], u16::from_be_bytes(*self.bytes(at + 4))))
    }

    /// Returns the number of the protocol.
    pub fn protocol(&self) -> u8 {
        self.0[12]
    }

    /// Returns the flags of all TCP segments of the flow, combined.
    pub fn tcp_flags(&self) -> u8 {
        self.0[13]
    }

    /// Returns the interfaces on which the flow entered and left the router.
    pub fn interfaces(&self) -> [u16; 2] {
        [14, 16].map(|at| u16::from_be_bytes(*self.bytes(at)))
    }

    /// Returns the number of bytes of the flow.
    pub fn octets(&self) -> u64 {
        u64::from_be_bytes(*self.bytes(24))
    }

    /// Returns the number of packets of the flow.
    pub fn packets(&self) -> u32 {
        u32::from_be_bytes(*self.bytes(20))
    }

    /// Returns the time at which the flow began, in milliseconds since 1970.
    pub fn start_ms(&self) -> u64 {
        u64::from_be_bytes(*self.bytes(32))
    }

    /// Returns the duration of the flow in milliseconds.
    pub fn duration_ms(&self) -> u32 {
        u32::from_be_bytes(*self.bytes(40))
    }
}

/// Returns the number of the exporter that sent a datagram.
pub fn exporter(datagram: &[u8]) -> u16 {
    datagram.first_chunk().map_or(0, |bytes| u16::from_be_bytes(*bytes))
}

/// Generates random datagrams from a seed, without end.
#[derive(Clone, Debug)]
pub struct Generator(u64);

impl Generator {
    /// Creates a generator. The same seed gives the same datagrams.
    pub fn new(seed: u64) -> Self {
        Generator(seed | 1)
    }

    fn random(&mut self) -> u64 {
        // xorshift: <https://www.jstatsoft.org/article/view/v008i14>.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Generates the next datagram.
    pub fn datagram(&mut self) -> Vec<u8> {
        let count = 1 + self.random() % 29;
        let mut datagram = Vec::with_capacity(HEADER + SIZE * count as usize);
        datagram.extend((self.random() as u16 % 3).to_be_bytes());
        datagram.extend((count as u16).to_be_bytes());
        for _ in 0..count {
            let (packets, protocol) =
                (1 + self.random() as u32 % 1000, [6, 6, 6, 17, 17, 1][self.random() as usize % 6]);
            let at = datagram.len();
            datagram.extend([10, 0]);
            datagram.extend((self.random() as u16).to_be_bytes());
            datagram.extend((1024 + self.random() as u16 % 60_000).to_be_bytes());
            datagram.extend([192, 0, 2, self.random() as u8]);
            datagram.extend([53u16, 80, 443, 443][self.random() as usize % 4].to_be_bytes());
            datagram.extend([protocol, if protocol == 6 { self.random() as u8 } else { 0 }]);
            datagram.extend((self.random() as u16 % 48).to_be_bytes());
            datagram.extend((self.random() as u16 % 48).to_be_bytes());
            datagram.extend([0; 2]);
            datagram.extend(packets.to_be_bytes());
            datagram.extend((u64::from(packets) * (40 + self.random() % 1460)).to_be_bytes());
            datagram.extend((1_700_000_000_000 + self.random() % 1_000_000).to_be_bytes());
            datagram.extend((self.random() as u32 % 60_000).to_be_bytes());
            datagram.resize(at + SIZE, 0);
        }
        datagram
    }
}
